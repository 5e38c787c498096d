"""The generated gRPC modules: two copies that live in one process, made from proto/*.proto."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import conformance.cluster.dra_api
import reference_driver.plugin.dra_api
from conformance.cluster.dra_api import dra_health_v1_pb2, dra_v1_pb2, pluginregistration_pb2
from reference_driver.plugin.dra_api import dra_v1_pb2 as drivers_dra_v1_pb2

ROOT = Path(__file__).parents[2]
COPIES = [Path(next(iter(p.__path__))) for p in (conformance.cluster.dra_api, reference_driver.plugin.dra_api)]


def test_both_copies_in_one_process() -> None:
    ours = dra_v1_pb2.Claim(namespace="ns", uid="u", name="n")
    assert drivers_dra_v1_pb2.Claim.FromString(ours.SerializeToString()).uid == "u"


def test_names_on_the_wire() -> None:
    services = [
        module.DESCRIPTOR.services_by_name[name].full_name
        for module, name in (
            (dra_v1_pb2, "DRAPlugin"),
            (dra_health_v1_pb2, "DRAResourceHealth"),
            (pluginregistration_pb2, "Registration"),
        )
    ]
    assert services == [
        "k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin",
        "v1.DRAResourceHealth",
        "pluginregistration.Registration",
    ]


def test_a_share_id_can_be_absent() -> None:
    assert not dra_v1_pb2.Device().HasField("share_id")
    assert dra_v1_pb2.Device(share_id="").HasField("share_id")


def test_the_copies_are_what_the_proto_files_give(tmp_path: Path) -> None:
    pytest.importorskip("grpc_tools", reason="grpcio-tools, which generates the modules, is not installed")
    generate = _generator()
    modules = generate.generate(tmp_path)
    for copy in COPIES:
        generate.write(modules, tmp_path / "copy", generate.PACKAGES[str(copy.relative_to(ROOT))])
        made = {path.name: path.read_text() for path in (tmp_path / "copy").iterdir()}
        assert made == {path.name: path.read_text() for path in copy.iterdir() if path.is_file()}, copy


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "proto" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
