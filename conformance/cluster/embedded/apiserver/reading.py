"""Objects and patches that clients send: read in their version, unknown fields refused, warned of or ignored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from conformance.cluster.embedded.apiserver import status
from conformance.cluster.embedded.apiserver.bodies import encode, read_object
from conformance.cluster.embedded.apiserver.decoding import Decoding, decode
from conformance.cluster.embedded.apiserver.field_errors import invalid
from conformance.cluster.embedded.apiserver.kinds import KINDS
from conformance.cluster.embedded.apiserver.objects import Object
from conformance.cluster.embedded.apiserver.request import RequestInfo
from conformance.cluster.embedded.apiserver.typed import check_typed
from conformance.cluster.embedded.apiserver.types import Struct, find_struct


@dataclass
class Reader:
    """Reads the objects of one request."""

    info: RequestInfo

    @property
    def struct(self) -> Struct:
        """The type of the objects in the version of the request."""
        kind = self.info.kind.resource
        found = find_struct(kind.group_version(self.info.version), kind.kind)
        assert found is not None, kind.kind
        return found

    async def object(self, request: Request) -> Object:
        """The object in the body. Raises BadRequest for another kind, wrong types, and when strict unknown fields."""
        resource = self.info.kind.resource
        body = await read_object(request, resource.kind)
        self._check_kind(body)
        decoding = Decoding(f'{resource.kind} in version "{self.info.version}"')
        found = decode(self.struct, body, decoding)
        self._note(decoding.notes, decoding.refuse)
        return found

    def patched(self, obj: Mapping[str, Any], shown: str) -> Object:
        """What came out of a patch; `shown` is how refusals quote it. Raises Invalid."""
        resource = self.info.kind.resource
        wanted = {"apiVersion": resource.group_version(self.info.version), "kind": resource.kind}
        decoding = _Patched(resource.kind, shown=shown)
        for key, value in wanted.items():
            if obj.get(key, value) != value:
                raise decoding.refuse(
                    f'no kind "{obj.get("kind")}" is registered for version "{obj.get("apiVersion")}"'
                )
        found = decode(self.struct, obj, decoding)
        self._note(decoding.notes, decoding.refuse)
        return found

    def applied(self, obj: Mapping[str, Any]) -> Object:
        """The configuration of a server-side apply. Raises BadRequest, and ApiError 500 for what has no type."""
        resource = self.info.kind.resource
        given = str(obj.get("apiVersion", "")), str(obj.get("kind", ""))
        if given != (resource.group_version(self.info.version), resource.kind):
            raise status.bad_request(f"invalid object type: {given[0] or '/'}, Kind={given[1]}")
        meta = obj.get("metadata")
        given_rows = meta.get("managedFields") if isinstance(meta, Mapping) else None
        if isinstance(given_rows, list) and all(isinstance(row, Mapping) for row in given_rows):
            raise status.bad_request("metadata.managedFields must be nil")
        check_typed(self.struct, obj)
        decoding = Decoding(resource.kind)
        found = decode(self.struct, obj, _Applied(f"{given[0]}, Kind={given[1]}", decoding.notes, nulls=True))
        self._note(decoding.notes, decoding.refuse)
        return found

    def _note(self, notes: list[str], refuse: Any) -> None:
        validation = self.info.query.get("fieldValidation") or "Warn"
        if notes and validation == "Strict":
            raise refuse(f"strict decoding error: {', '.join(notes)}")
        if validation == "Warn":
            self.info.warnings.extend(notes)

    def _check_kind(self, obj: Mapping[str, Any]) -> None:
        resource = self.info.kind.resource
        version = resource.group_version(self.info.version)
        for key in ("apiVersion", "kind"):
            if not isinstance(obj.get(key, ""), str | None):
                raise status.bad_request(
                    f"the object provided is unrecognized (must be of type {resource.kind}): "
                    f"couldn't get version/kind; json parse error: json: cannot unmarshal into Go struct field .{key}"
                )
        kind, given = obj.get("kind") or resource.kind, obj.get("apiVersion") or version
        if kind == resource.kind and given == version:
            return
        if kind == resource.kind:
            text = f"the API version in the data ({given}) does not match the expected API version ({version})"
            raise status.bad_request(text)
        known = any((row.resource.kind, row.resource.api_version) == (kind, given) for row in KINDS.values())
        short = str(given).rpartition("/")[2]
        what = f'{kind} in version "{short}" cannot be handled as a {resource.kind}'
        internal = (resource.group or "core").partition(".")[0]
        if known:
            text = f"converting ({short}.{kind}) to ({internal}.{resource.kind}): unknown conversion"
            raise status.bad_request(f"{what}: {text}")
        raise status.bad_request(f'{what}: no kind "{kind}" is registered for version "{given}" in scheme')


class _Applied(Decoding):
    """What is applied, `what` being its type: all that is wrong with it by now is the text of a value."""

    def refuse(self, text: str) -> Exception:
        """The failure that the API server did not expect."""
        way = f"failed to convert new object ({self.what}) to proper version: unable to convert unstructured object"
        return status.unexplained(f"{way} to {self.what}: {text}")


@dataclass
class _Patched(Decoding):
    """What came out of a patch."""

    shown: str = ""

    def refuse(self, text: str) -> Exception:
        """The Invalid for an object that cannot be read."""
        return status.patch_invalid(invalid("patch", self.shown, text))


def shown_patched(obj: Mapping[str, Any]) -> str:
    """How refusals quote what came out of a JSON or merge patch."""
    return encode(obj).decode()


def shown_patch(value: Any) -> str:
    """How refusals quote a strategic merge patch: as Go prints maps."""
    if isinstance(value, Mapping):
        return f"map[{' '.join(f'{key}:{shown_patch(value[key])}' for key in sorted(value))}]"
    if isinstance(value, list):
        return f"[{' '.join(map(shown_patch, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return "<nil>" if value is None else str(value)
