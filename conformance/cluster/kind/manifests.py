"""Installing what a driver file says: the objects of its charts and manifests, applied in order."""

from collections.abc import Callable, Sequence

from conformance.cluster.api import Api, ApiError, NotFound, Object
from conformance.cluster.kind import charts, sources
from conformance.cluster.kind.workloads import namespaces_of, pod_templates
from conformance.cluster.wait import wait_for
from conformance.target import Target, TargetError
from conformance.target.model import InstallSection

__all__ = ["Applier", "check", "namespaces_of", "objects_of", "pod_templates", "prerequisites_of"]

_GONE_WITHIN = 60.0
_NOT_FOUND = 404  # in JSON, or in plain words for what the API server does not serve: a kind that is gone itself


def objects_of(target: Target, renderer: Callable[[], charts.Renderer] = charts.offline) -> list[Object]:
    """Objects of the charts and manifests in the driver file's section `install`, in order.

    `renderer` is asked for only where there are charts. Raises TargetError, Inconclusive for what cannot be fetched.
    """
    install = _install(target)
    found: list[Object] = []
    if install.charts:
        render = renderer()
        for index, chart in enumerate(install.charts):
            found += render(chart, f"install.charts[{index}]", target.path)
    return [*found, *sources.read(install.manifests, "install.manifests", target.path)]


def prerequisites_of(target: Target) -> list[Object]:
    """Objects that must be there and ready before the driver. Raises TargetError, Inconclusive."""
    return sources.read(_install(target).prerequisites, "install.prerequisites", target.path)


def check(target: Target) -> None:
    """Raises TargetError for what is seen to be wrong with the section before there is a cluster."""
    install = _install(target)
    sources.check(install.prerequisites, "install.prerequisites", target.path)
    sources.check(install.manifests, "install.manifests", target.path)
    for index, chart in enumerate(install.charts):
        charts.find(chart, f"install.charts[{index}]", target.path)


def _install(target: Target) -> InstallSection:
    install = target.file.install
    if install is None or not (install.manifests or install.charts):
        raise TargetError(
            f"{target.path}: install has neither manifests nor charts, so the driver cannot be installed on a cluster"
        )
    return install


class Applier:
    """Applies objects of any kind that the API server knows."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._paths: dict[tuple[str, str], tuple[str, bool]] = {}

    def apply(self, obj: Object) -> Object:
        """Create or change an object by server-side apply; the object as stored. Raises ApiError."""
        query = {"fieldManager": "dra-conformance", "force": "true"}
        path, body = self.path(obj), obj
        if not self._paths[obj["apiVersion"], obj["kind"]][1]:  # charts give a namespace to all that they bring
            body = {**obj, "metadata": {key: value for key, value in obj["metadata"].items() if key != "namespace"}}
        return self._api.request("PATCH", path, query=query, body=body, content_type="application/apply-patch+yaml")

    def patch(self, obj: Object, patch: Object) -> Object:
        """Merge a patch into an object. Raises ApiError."""
        return self._api.request("PATCH", self.path(obj), body=patch, content_type="application/merge-patch+json")

    def get(self, obj: Object) -> Object:
        """The object as it is now. Raises NotFound."""
        return self._api.request("GET", self.path(obj))

    def remove(self, objects: Sequence[Object]) -> None:
        """Delete objects in reverse order and wait until they are gone. Raises WaitTimeout, ApiError."""
        for obj in reversed(objects):
            try:
                self._api.request("DELETE", self.path(obj), query={"propagationPolicy": "Foreground"})
            except ApiError as error:
                if error.status != _NOT_FOUND:
                    raise
        for obj in objects:
            name = f"{obj['kind']} {obj['metadata']['name']} to be gone"
            wait_for(lambda obj=obj: self._gone(obj), name, timeout=_GONE_WITHIN)  # type: ignore[misc]

    def path(self, obj: Object) -> str:
        """The URL path of an object. Raises NotFound when the API server has no such kind."""
        version, kind, meta = obj["apiVersion"], obj["kind"], obj["metadata"]
        if (version, kind) not in self._paths:
            self._paths[version, kind] = self._lookup(version, kind)
        plural, namespaced = self._paths[version, kind]
        scope = f"/namespaces/{meta.get('namespace', 'default')}" if namespaced else ""
        return f"{_base(version)}{scope}/{plural}/{meta['name']}"

    def _lookup(self, version: str, kind: str) -> tuple[str, bool]:
        for row in self._api.request("GET", _base(version))["resources"]:
            if row["kind"] == kind and "/" not in row["name"]:
                return row["name"], row["namespaced"]
        raise NotFound({"code": 404, "reason": "NotFound", "message": f"the API server has no {kind} in {version}"})

    def _gone(self, obj: Object) -> bool:
        try:
            self.get(obj)
        except ApiError as error:
            return error.status == _NOT_FOUND
        return False


def _base(version: str) -> str:
    return f"/apis/{version}" if "/" in version else f"/api/{version}"
