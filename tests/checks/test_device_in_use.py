"""Where the run may not write the status of a claim, as on somebody's cluster, nobody is blamed."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from conformance.checks.preparation.allocating import allocate
from conformance.cluster import Claim, Cluster
from conformance.cluster.api import Forbidden
from conformance.verdict import NotRun


def test_without_the_right_it_is_not_run() -> None:
    def refuse(resource: str, claim: dict[str, Any]) -> None:
        raise Forbidden({"code": 403, "reason": "Forbidden", "message": f"cannot update {resource}/status"})

    cluster = cast(Cluster, SimpleNamespace(api=SimpleNamespace(replace_status=refuse)))
    claim = cast(Claim, SimpleNamespace(get=dict))
    with pytest.raises(NotRun, match="cannot update resourceclaims/status"):
        allocate(cluster, claim, {})
