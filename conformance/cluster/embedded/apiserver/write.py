"""One write on its way into the store, as validation sees it."""

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.cluster.embedded.apiserver.objects import Object


@dataclass(frozen=True)
class Write:
    """The object to be stored and the one that it replaces (None: a create).

    subresource: "" or "status". namespace_labels: those of the object's namespace. api_version: of the API in use, ""
    for the stored one.
    """

    new: Object
    old: Object | None
    subresource: str
    namespace_labels: Mapping[str, str]
    api_version: str = ""

    @property
    def version(self) -> str:
        """Of the API in use, without its group."""
        return self.api_version.rpartition("/")[2]

    @property
    def creates(self) -> bool:
        """Whether it is a create."""
        return self.old is None
