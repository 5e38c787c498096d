"""What clients get that ask for tables, or for metadata only."""

from typing import Any

import pytest

from conformance.cluster.api import ApiError
from conformance.cluster.embedded.apiserver.negotiation import Form, negotiate
from conformance.cluster.embedded.apiserver.since import human
from conformance.cluster.embedded.apiserver.tables import cells, columns

Object = dict[str, Any]

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        ("", Form()),
        ("*/*", Form()),
        ("application/vnd.kubernetes.protobuf,application/json", Form()),
        ("application/vnd.kubernetes.protobuf", Form()),
        ("application/yaml", Form("application/yaml")),
        (f"{TABLE},application/json", Form(name="Table")),
        ("application/json;as=Colour;v=v1;g=meta.k8s.io, application/json", Form()),
        ("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io", Form(name="PartialObjectMetadata")),
    ],
)
def test_the_form_that_a_client_asks_for(accept: str, form: Form) -> None:
    assert negotiate(accept) == form


@pytest.mark.parametrize("accept", ["text/plain", "application/json;as=Colour;v=v1;g=meta.k8s.io"])
def test_a_form_that_there_is_not(accept: str) -> None:
    with pytest.raises(ApiError, match="only the following media types are accepted") as refused:
        negotiate(accept)
    assert refused.value.status == 406


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "<invalid>"),
        (-1, "0s"),
        (119, "119s"),
        (120, "2m"),
        (125, "2m5s"),
        (3600, "60m"),
        (3 * 3600 + 60, "3h1m"),
        (30 * 3600, "30h"),
        (50 * 3600, "2d2h"),
        (100 * 86400, "100d"),
        (800 * 86400, "2y70d"),
        (4000 * 86400, "10y"),
    ],
)
def test_ages(seconds: int, text: str) -> None:
    assert human(seconds) == text


def pod(**status: Any) -> Object:
    spec = {"containers": [{"name": "a"}, {"name": "b"}], "initContainers": [{"name": "i"}], "nodeName": "n"}
    return {"metadata": {"name": "p"}, "spec": spec, "status": status}


def container(name: str, **state: Any) -> Object:
    return {"name": name, "ready": "running" in state, "restartCount": 0, "state": state}


@pytest.mark.parametrize(
    ("status", "shown"),
    [
        ({"phase": "Pending"}, ("0/2", "Pending")),
        ({"phase": "Pending", "initContainerStatuses": [container("i", running={})]}, ("0/2", "Init:0/1")),
        (
            {"phase": "Failed", "initContainerStatuses": [container("i", terminated={"exitCode": 2})]},
            ("0/2", "Init:ExitCode:2"),
        ),
        (
            {"phase": "Pending", "containerStatuses": [container("a", waiting={"reason": "ContainerCreating"})]},
            ("0/2", "ContainerCreating"),
        ),
        (
            {"phase": "Running", "containerStatuses": [container("a", running={}), container("b", running={})]},
            ("2/2", "Running"),
        ),
        (
            {
                "phase": "Running",
                "containerStatuses": [
                    container("a", terminated={"exitCode": 0, "reason": "Completed"}),
                    container("b", running={}),
                ],
            },
            ("1/2", "NotReady"),
        ),
    ],
)
def test_readiness_and_state_of_pods(status: Object, shown: tuple[str, str]) -> None:
    assert tuple(cells("Pod", pod(**status))[1:3]) == shown


def test_every_kind_has_a_cell_a_column() -> None:
    assert len(cells("Pod", pod())) == len(columns("Pod"))
    claim = {"metadata": {"name": "c"}, "status": {"allocation": {}, "reservedFor": [{}]}}
    assert cells("ResourceClaim", claim) == ["c", "allocated,reserved", "<unknown>"]
