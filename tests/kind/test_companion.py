"""The companion's manifests: the reference driver's with other names, for one node."""

from conformance.cluster.companion import NAME, SILENT
from conformance.cluster.kind.companion import renamed
from conformance.cluster.kind.manifests import namespaces_of, objects_of
from conformance.target import Target


def test_both_can_be_on_one_cluster() -> None:
    own = objects_of(Target.load("reference"))
    made = renamed(own, "worker")
    assert not {(obj["kind"], obj["metadata"]["name"]) for obj in own} & {
        (obj["kind"], obj["metadata"]["name"]) for obj in made
    }
    assert namespaces_of(made) == ["companion-driver"]
    assert "gpu.example.com" not in str(made)
    assert "gpu-driver" not in str(made)


def test_its_pods_are_on_one_node_and_know_their_name() -> None:
    (daemonset,) = (
        obj for obj in renamed(objects_of(Target.load("reference")), "worker") if obj["kind"] == "DaemonSet"
    )
    spec = daemonset["spec"]["template"]["spec"]
    assert spec["nodeSelector"] == {"kubernetes.io/hostname": "worker"}
    assert spec["containers"][0]["args"][-2:] == [f"--driver-name={NAME}", SILENT]
    assert spec["containers"][0]["image"] == "dra-conformance/reference-driver:0.1.0"


def test_its_class_stands_for_no_resource_that_the_drivers_class_stands_for() -> None:
    classes = [obj for obj in objects_of(Target.load("reference")) if obj["kind"] == "DeviceClass"]
    assert [obj["spec"]["extendedResourceName"] for obj in classes] == ["example.com/gpu"]
    assert [obj["spec"].get("extendedResourceName") for obj in renamed(classes, "worker")] == [None]
