"""Binding conditions: a pod is bound when its devices are ready."""

from datetime import UTC, datetime, timedelta

from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Obj, Scene

SLOW: Obj = {"bindingConditions": ["example.com/ready"], "bindingFailureConditions": ["example.com/broken"]}
BROKEN: Obj = {"key": "example.com/broken", "effect": "NoSchedule"}


def _conditions(scene: Scene, device: str, name: str = "claim", **states: str) -> None:
    claim = scene.get("resourceclaims", name)
    rows = [
        {
            "type": f"example.com/{kind}",
            "status": state,
            "reason": "Said",
            "message": "the driver says so",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        for kind, state in states.items()
    ]
    claim["status"]["devices"] = [{"driver": scene.driver, "pool": "node", "device": device, "conditions": rows}]
    scene.api.replace_status("resourceclaims", claim)


def device_becomes_ready(scene: Scene) -> Picture:
    scene.publish({"name": "a", **SLOW})
    scene.claim()
    scene.pod(claim="claim")
    scene.event("BindingConditionsPending")
    waiting, pod = scene.allocated(), scene.get("pods", "pod")
    _conditions(scene, "a", ready="True")
    scene.bound()
    return scene.picture(
        waiting=waiting,
        pod=[pod["status"], pod["spec"].get("nodeName")],
        after=scene.get("pods", "pod")["status"],
        events=scene.events(),
    )


def device_binds_to_the_node(scene: Scene) -> Picture:
    pool = {"name": "all", "generation": 1, "resourceSliceCount": 1}
    spec = {
        "driver": scene.driver,
        "pool": pool,
        "allNodes": True,
        "devices": [{"name": "a", **SLOW, "bindsToNode": True}],
    }
    scene.api.create("resourceslices", {"metadata": {"name": scene.named("all")}, "spec": spec})
    scene.claim()
    scene.pod(claim="claim")
    return scene.picture(claim=scene.allocated())


def device_fails_and_another_is_taken(scene: Scene) -> Picture:
    scene.publish({"name": "a", **SLOW}, {"name": "b", **SLOW})
    scene.claim()
    scene.pod(claim="claim")
    scene.allocated()
    # Only the other device is left for the next try.
    scene.publish({"name": "a", **SLOW, "taints": [BROKEN]}, {"name": "b", **SLOW}, generation=2)
    _conditions(scene, "a", broken="True", ready="False")

    def other() -> bool:
        results = (scene.get("resourceclaims", "claim").get("status", {}).get("allocation") or {}).get("devices", {})
        return bool([row for row in results.get("results", []) if row["device"] == "b"])

    scene.until("the other device", other)
    claim = scene.allocated()
    _conditions(scene, "b", ready="True")
    scene.bound()
    return scene.picture(claim=claim, after=scene.get("pods", "pod")["status"], events=scene.events())


def device_fails_and_there_is_no_other(scene: Scene) -> Picture:
    scene.publish({"name": "a", **SLOW})
    scene.claim()
    scene.pod(claim="claim")
    scene.allocated()
    scene.publish({"name": "a", **SLOW, "taints": [BROKEN]}, generation=2)
    _conditions(scene, "a", broken="True")
    pod = scene.told("cannot allocate")
    return scene.picture(claim=scene.get("resourceclaims", "claim"), pod=pod["status"], events=scene.events())


def device_was_waited_for_too_long(scene: Scene) -> Picture:
    """The claim was allocated for a pod that is gone, long ago: another pod makes the scheduler give it up."""
    scene.publish({"name": "a", **SLOW, "taints": [BROKEN]}, "b")
    claim = scene.claim()
    claim["metadata"]["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    claim = scene.api.replace("resourceclaims", claim)
    when = (datetime.now(UTC) - timedelta(seconds=700)).strftime("%Y-%m-%dT%H:%M:%SZ")
    result = {"request": "gpu", "driver": scene.driver, "pool": "node", "device": "a", **SLOW}
    claim["status"] = {"allocation": {"devices": {"results": [result]}, "allocationTimestamp": when}}
    scene.api.replace_status("resourceclaims", claim)
    scene.settle()
    scene.pod(claim="claim")
    scene.event("FailedScheduling")

    def other() -> bool:
        results = (scene.get("resourceclaims", "claim").get("status", {}).get("allocation") or {}).get("devices", {})
        return bool([row for row in results.get("results", []) if row["device"] == "b"])

    scene.until("the other device", other)
    scene.bound()
    return scene.picture(claim=scene.get("resourceclaims", "claim"), events=scene.events())


def allocated_claim_is_ready_already(scene: Scene) -> Picture:
    scene.publish({"name": "a", **SLOW})
    scene.claim()
    scene.pod("one", claim="claim")
    scene.allocated()
    _conditions(scene, "a", ready="True")
    scene.bound("one")
    scene.pod("two", claim="claim")
    scene.bound("two")
    return scene.picture(claim=scene.get("resourceclaims", "claim"), events=scene.events())


def pod_goes_while_its_device_is_made_ready(scene: Scene) -> Picture:
    scene.publish({"name": "a", **SLOW})
    scene.claim()
    scene.pod(claim="claim")
    scene.event("BindingConditionsPending")
    scene.allocated()
    scene.delete_pod()
    return scene.picture(claim=scene.free())


def simple_pools_are_taken_first(scene: Scene) -> Picture:
    scene.publish({"name": "a", **SLOW})
    pool = {"name": "z", "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": scene.driver, "pool": pool, "nodeName": scene.named("node"), "devices": [{"name": "z"}]}
    scene.api.create("resourceslices", {"metadata": {"name": scene.named("z")}, "spec": spec})
    scene.settle()
    scene.claim()
    scene.pod(claim="claim")
    scene.bound()
    return scene.picture(claim=scene.get("resourceclaims", "claim")["status"])


def one_of_two_devices_is_not_ready(scene: Scene) -> Picture:
    scene.publish({"name": "a", **SLOW}, {"name": "b", **SLOW})
    scene.claim("one")
    scene.claim("two")
    entries = [{"name": name, "resourceClaimName": name} for name in ("one", "two")]
    scene.pod(resourceClaims=entries)
    scene.event("BindingConditionsPending")
    for name in ("one", "two"):
        scene.allocated(name)
    _conditions(scene, "a", "one", ready="True")
    scene.settle()
    half = scene.get("pods", "pod")["spec"].get("nodeName")
    _conditions(scene, "b", "two", ready="True", broken="False")
    scene.bound()
    return scene.picture(half=half, one=scene.get("resourceclaims", "one"), two=scene.get("resourceclaims", "two"))
