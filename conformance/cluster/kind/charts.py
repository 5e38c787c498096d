"""Helm charts: rendered by helm, so that their objects are applied and known like those of manifests."""

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import yaml

from conformance.cluster.api import Api, Object
from conformance.cluster.kind.command import run
from conformance.cluster.kind.sources import parse
from conformance.target import TargetError, build
from conformance.target.gomodule import go_is_there
from conformance.target.model import BuildSection, ChartSection
from conformance.verdict import Inconclusive

Say = Callable[[str], object]

HELM = BuildSection(go_module="helm.sh/helm/v4", version="v4.3.2", package="helm.sh/helm/v4/cmd/helm")
_RENDER_WITHIN = 120.0
_HOOK = "helm.sh/hook"
_BEFORE, _AFTER = ("pre-install", "pre-upgrade"), ("post-install", "post-upgrade")


@dataclass(frozen=True)
class Renderer:
    """Renders charts for one cluster: its version such as v1.37.2, and what it serves, as templates may ask for it."""

    helm: Path
    version: str = ""
    api_versions: tuple[str, ...] = ()

    def __call__(self, section: ChartSection, key: str, driver_file: Path) -> list[Object]:
        """Objects of a chart in the order in which they are to be applied, its namespace first.

        `key` is where the driver file has the chart. Raises TargetError for a chart that cannot be rendered, or
        Inconclusive where it had to be fetched.
        """
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as values:
            yaml.safe_dump(section.values, values)
            values.flush()
            command = [str(self.helm), "template", section.release, find(section, key, driver_file)]
            command += ["--namespace", section.namespace, "--values", values.name, "--include-crds", "--skip-tests"]
            command += [f"--api-versions={name}" for name in self.api_versions]
            command += ["--kube-version", self.version] if self.version else []
            command += ["--version", section.version] if section.version else []
            command += ["--repo", section.repository] if section.repository else []
            try:
                text = run(command, f"render {key}", timeout=_RENDER_WITHIN)
            except Inconclusive as error:
                if is_local(section, driver_file):
                    raise TargetError(f"{driver_file}: {error}") from None
                raise
        return _in_order(parse(text, f"{driver_file}: {key}"), section.namespace)


def renderer(api: Api, say: Say) -> Renderer:
    """What renders charts for a cluster: the helm on PATH, else one that is built once. Raises Inconclusive."""
    version = api.request("GET", "/version")["gitVersion"]
    return Renderer(provide_helm(say), version, tuple(_served(api)))


def offline() -> Renderer:
    """What renders charts where there is no cluster, for the version that helm takes. Raises Inconclusive."""
    return Renderer(provide_helm(str))


def provide_helm(say: Say) -> Path:
    """The helm on PATH, else one that is built once and kept. Raises Inconclusive."""
    if found := shutil.which("helm"):
        return Path(found)
    if not build.binary(HELM).is_file() and not go_is_there():
        raise Inconclusive("install.charts needs helm, but it is not on PATH, nor is Go to build it with")
    try:
        return build.build(HELM, say)
    except TargetError as error:
        raise Inconclusive(f"helm cannot be built: {error}") from None


def is_local(section: ChartSection, driver_file: Path) -> bool:
    """Whether the chart is a folder or file, and needs nothing fetched."""
    return not section.repository and "://" not in section.chart and (driver_file.parent / section.chart).exists()


def find(section: ChartSection, key: str, driver_file: Path) -> str:
    """The chart as helm is to be told of it. Raises TargetError when it looks like a path and there is nothing."""
    if is_local(section, driver_file):
        return str((driver_file.parent / section.chart).resolve())
    if section.repository or "://" in section.chart:
        return section.chart
    raise TargetError(
        f"{driver_file}: {key}: {driver_file.parent / section.chart} does not exist; "
        "give the path of a chart, a URL, or its name and its `repository`"
    )


def _served(api: Api) -> list[str]:
    """What the API server serves, as Helm's `.Capabilities.APIVersions` names it."""
    found = ["v1"]
    for group in api.request("GET", "/apis")["groups"]:
        for version in group["versions"]:
            name = version["groupVersion"]
            kinds = {row["kind"] for row in api.request("GET", f"/apis/{name}")["resources"] if "/" not in row["name"]}
            found += [name, *(f"{name}/{kind}" for kind in sorted(kinds))]
    return found


def _in_order(objects: list[Object], namespace: str) -> list[Object]:
    """The objects with their namespace, between hooks for before and after; other hooks are left out."""
    before = [obj for obj in objects if _hooks(obj) & set(_BEFORE)]
    after = [obj for obj in objects if _hooks(obj) & set(_AFTER) and obj not in before]
    usual = [obj for obj in objects if not _hooks(obj)]
    crds = [obj for obj in usual if obj["kind"] == "CustomResourceDefinition"]
    rest = [obj for obj in usual if obj["kind"] != "CustomResourceDefinition"]
    for obj in objects:
        obj["metadata"].setdefault("namespace", namespace)
    own = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}
    has_own = namespace == "default" or any(_is_namespace(obj, namespace) for obj in objects)
    return [*([] if has_own else [own]), *crds, *before, *rest, *after]


def _is_namespace(obj: Object, name: str) -> bool:
    return bool(obj["kind"] == "Namespace" and obj["metadata"]["name"] == name)


def _hooks(obj: Object) -> set[str]:
    text = str((obj["metadata"].get("annotations") or {}).get(_HOOK, ""))
    return {word.strip() for word in text.split(",") if word.strip()}
