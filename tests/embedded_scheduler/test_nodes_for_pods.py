"""Which nodes a pod may run on, devices apart."""

from tests.embedded_scheduler.control_plane import control_plane
from tests.embedded_scheduler.objects import Obj


def test_pods_that_a_node_has_no_room_for_wait() -> None:
    with control_plane() as plane:
        room = {"pods": "1000", "cpu": "2", "memory": "1Gi"}
        plane.store.modify("nodes", "node-a", None, lambda node: node["status"].update(allocatable=room), status=True)
        plane.pod("large", containers=[container(cpu="1500m")])
        plane.bound("large")
        plane.pod("p", containers=[container(cpu="600m", memory="10Mi")])
        assert plane.pending("p")["message"] == (
            "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: "
            "1 No preemption victims found for incoming pod."
        )
        plane.finish("large")
        plane.bound("p")


def container(**requests: str) -> Obj:
    return {"name": "c", "image": "none", "resources": {"requests": requests}}


def test_a_pod_keeps_off_tainted_nodes() -> None:
    with control_plane("node-a", "node-b") as plane:
        taint = {"key": "example.com/broken", "effect": "NoSchedule"}
        plane.store.modify("nodes", "node-a", None, lambda node: node.update(spec={"taints": [taint]}))
        plane.pod("p")
        assert plane.bound("p") == "node-b"
        plane.pod("brave", tolerations=[{"key": "example.com/broken", "operator": "Exists"}])
        assert plane.bound("brave") == "node-a"


def test_a_pod_keeps_off_closed_nodes() -> None:
    with control_plane() as plane:
        plane.store.modify("nodes", "node-a", None, lambda node: node.update(spec={"unschedulable": True}))
        plane.pod("p")
        assert "1 node(s) were unschedulable." in plane.pending("p")["message"]
        plane.store.modify("nodes", "node-a", None, lambda node: node.update(spec={}))
        plane.bound("p")
