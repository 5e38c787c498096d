"""The kinds of objects that the suite deals in: one table, for the client and for the embedded API server."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Resource:
    """One kind of object. `group` is "" for the core group; `version` is the one that the suite itself uses."""

    plural: str
    kind: str
    group: str
    version: str
    namespaced: bool

    @property
    def api_version(self) -> str:
        """What objects have as `apiVersion`."""
        return self.group_version(self.version)

    @property
    def qualified(self) -> str:
        """The plural with its group, as messages of the API server name it."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    def group_version(self, version: str) -> str:
        """`apiVersion` for another version of the group."""
        return f"{self.group}/{version}" if self.group else version

    def path(self, namespace: str | None = None, name: str = "", version: str | None = None) -> str:
        """The URL path of the collection, or of one object with a name."""
        version = version or self.version
        base = f"/apis/{self.group}/{version}" if self.group else f"/api/{version}"
        if self.namespaced and namespace:
            base += f"/namespaces/{namespace}"
        return f"{base}/{self.plural}" + (f"/{name}" if name else "")


DRA_GROUP = "resource.k8s.io"

RESOURCES = {
    row.plural: row
    for row in (
        Resource("nodes", "Node", "", "v1", False),
        Resource("namespaces", "Namespace", "", "v1", False),
        Resource("pods", "Pod", "", "v1", True),
        Resource("events", "Event", "", "v1", True),
        Resource("serviceaccounts", "ServiceAccount", "", "v1", True),
        Resource("secrets", "Secret", "", "v1", True),
        Resource("configmaps", "ConfigMap", "", "v1", True),
        Resource("leases", "Lease", "coordination.k8s.io", "v1", True),
        Resource("deviceclasses", "DeviceClass", DRA_GROUP, "v1", False),
        Resource("resourceclaims", "ResourceClaim", DRA_GROUP, "v1", True),
        Resource("resourceclaimtemplates", "ResourceClaimTemplate", DRA_GROUP, "v1", True),
        Resource("resourceslices", "ResourceSlice", DRA_GROUP, "v1", False),
        Resource("devicetaintrules", "DeviceTaintRule", DRA_GROUP, "v1", False),
    )
}
