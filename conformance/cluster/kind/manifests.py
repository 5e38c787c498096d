"""Installing what a driver file says: images made and loaded, manifests applied."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from conformance.cluster.api import Api, ApiError, NotFound, Object
from conformance.cluster.wait import wait_for
from conformance.target import Target, TargetError

_GONE_WITHIN = 60.0


def objects_of(target: Target) -> list[Object]:
    """Objects of the manifests in the driver file's section `install`, in order. Raises TargetError."""
    install = target.file.install
    if install is None or not install.manifests:
        raise TargetError(
            f"{target.path}: install.manifests is missing, so the driver cannot be installed on a cluster"
        )
    found: list[Object] = []
    for entry in install.manifests:
        for path in _files(target.path.parent / entry, target.path):
            found += [obj for obj in yaml.safe_load_all(path.read_text(encoding="utf-8")) if obj]
    return found


def _files(path: Path, where: Path) -> Sequence[Path]:
    """The file, or the YAML files of a folder in the order of their names."""
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix in (".yaml", ".yml"))
    if not path.is_file():
        raise TargetError(f"{where}: install.manifests: {path} does not exist")
    return [path]


class Applier:
    """Applies objects of any kind that the API server knows."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._paths: dict[tuple[str, str], tuple[str, bool]] = {}

    def apply(self, obj: Object) -> Object:
        """Create or change an object by server-side apply; the object as stored. Raises ApiError."""
        query = {"fieldManager": "dra-conformance", "force": "true"}
        return self._api.request(
            "PATCH", self.path(obj), query=query, body=obj, content_type="application/apply-patch+yaml"
        )

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
            except NotFound:
                continue
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
        except NotFound:
            return True
        except ApiError:
            return False
        return False


def _base(version: str) -> str:
    return f"/apis/{version}" if "/" in version else f"/api/{version}"


def pod_templates(objects: Sequence[Object]) -> Iterator[Any]:
    """Workloads that run the driver on nodes, in order."""
    return (obj for obj in objects if obj["kind"] == "DaemonSet")


def namespaces_of(objects: Sequence[Object]) -> list[str]:
    """Namespaces that the driver's workloads are in, sorted."""
    return sorted({obj["metadata"].get("namespace", "default") for obj in pod_templates(objects)})
