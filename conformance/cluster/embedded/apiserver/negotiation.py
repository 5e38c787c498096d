"""What a client wants back: the object itself, a Table or metadata only, as JSON or YAML (content negotiation)."""

from dataclasses import dataclass
from functools import lru_cache

from conformance.cluster.embedded.apiserver.status import failure

JSON, YAML = "application/json", "application/yaml"
_GROUP, _VERSIONS = "meta.k8s.io", ("v1", "v1beta1")
_FORMS = {
    "Table": "Table",
    "PartialObjectMetadata": "PartialObjectMetadata",
    "PartialObjectMetadataList": "PartialObjectMetadata",
}
_PROTOBUF = "application/vnd.kubernetes.protobuf"
_ACCEPTED = f"{JSON}, {YAML}, {_PROTOBUF}"


@dataclass(frozen=True)
class Form:
    """`name`: "" for the object itself, "Table" or "PartialObjectMetadata", of a `version` of meta.k8s.io."""

    media_type: str = JSON
    name: str = ""
    version: str = "v1"

    @property
    def api_version(self) -> str:
        """Of a table, or of metadata."""
        return f"{_GROUP}/{self.version}"


@lru_cache(maxsize=256)
def negotiate(accept: str) -> Form:
    """The first form of an Accept header that is served. Raises ApiError 406 when there is none.

    Answers are never protobuf: who takes only that gets JSON, which Go clients read all the same.
    """
    only_protobuf = False
    for part in accept.split(",") if accept.strip() else [JSON]:
        media, *parameters = (word.strip() for word in part.split(";"))
        given = {key.strip(): value.strip() for key, _, value in (word.partition("=") for word in parameters)}
        if media in ("*/*", "application/*", ""):
            media = JSON
        if media not in (JSON, YAML):
            only_protobuf |= media == _PROTOBUF and "as" not in given
            continue
        wanted = given.get("as", "")
        if not wanted:
            return Form(media)
        if wanted in _FORMS and given.get("g") == _GROUP and given.get("v") in _VERSIONS:
            return Form(media, _FORMS[wanted], given["v"])
    if only_protobuf:
        return Form()
    raise failure(406, "NotAcceptable", f"only the following media types are accepted: {_ACCEPTED}")
