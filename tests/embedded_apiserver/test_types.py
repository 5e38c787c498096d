"""The table of Kubernetes' types."""

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from conformance.cluster.embedded.apiserver.kinds import KINDS
from conformance.cluster.embedded.apiserver.types import Field, find_struct, struct_of

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "0.37.2"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("kubernetes_types", ROOT / "proto" / "kubernetes_types.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def modules_are_there() -> bool:
    if shutil.which("go") is None:
        return False
    asked = subprocess.run(["go", "env", "GOMODCACHE"], capture_output=True, text=True, check=False)
    folder = Path(asked.stdout.strip(), "k8s.io")
    return all((folder / f"{name}@v{RELEASE}").is_dir() for name in ("api", "apimachinery"))


@pytest.mark.skipif(not modules_are_there(), reason="the modules that it is made from are not in Go's cache")
def test_it_is_what_kubernetes_declares() -> None:
    module = generator()
    assert module.table(RELEASE) == module.TARGET.read_text(encoding="utf-8")


def test_every_served_version_of_every_kind_is_in_it() -> None:
    for kind in KINDS.values():
        for name in kind.versions:
            assert find_struct(kind.resource.group_version(name), kind.resource.kind)


def leaves(row: Field) -> Field:
    return leaves(row.item) if row.is_list or row.is_map else row


def test_every_type_that_it_names_is_in_it() -> None:
    waiting, seen = ["v1.Pod", "resource.k8s.io/v1.ResourceClaim"], set[str]()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        found = {leaves(row).struct for row in struct_of(name).fields.values()}
        waiting += [name for name in found - seen if name is not None]
    assert len(seen) > 100


def test_how_lists_are_told_apart() -> None:
    container = struct_of("v1.Container").fields
    assert container["ports"].keys == ("containerPort", "protocol")
    assert container["ports"].merge == ("containerPort",)
    assert container["command"].keys is None
    assert struct_of("meta/v1.ObjectMeta").fields["finalizers"].keys == ()
    assert struct_of("v1.Volume").fields["hostPath"].struct == "v1.HostPathVolumeSource"
