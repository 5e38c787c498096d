"""Names of requests and sub-requests of a claim, and references to them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.cluster.embedded.apiserver import rules
from conformance.cluster.embedded.apiserver.field_errors import FieldError, invalid

_REFERENCE = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

_MOST = 32


class RequestNames:
    """The names that `spec.devices` of one claim defines: `request` and `request/subrequest`."""

    def __init__(self, devices: Mapping[str, Any]) -> None:
        self._known: set[str] = set()
        for request in devices.get("requests", []):
            name = str(request.get("name", ""))
            self._known.add(name)
            self._known |= {f"{name}/{sub.get('name', '')}" for sub in request.get("firstAvailable", [])}

    def check(self, names: Sequence[str], field: str) -> Iterator[FieldError]:
        """A list of references, each to a name that is defined; of too many another rule tells."""
        if len(names) <= _MOST:
            yield from rules.items(names, None, self.reference, field)

    def reference(self, name: str, field: str) -> Iterator[FieldError]:
        """One reference."""
        parts = name.split("/")
        if len(parts) <= 2:
            for part in parts:
                yield from rules.device_name(part, field)
        if name not in self._known:
            yield invalid(field, name, _REFERENCE)
