"""The states that pods and claims go through, as somebody sees them who watches."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Obj, Scene

States = list[Any]


@contextmanager
def _watched(scene: Scene, resource: str, state: Callable[[Obj], Any]) -> Iterator[States]:
    """The states that the scene's objects have from now on, in order, each once in a row; without the markers'."""
    seen: States = []
    stop, watching = threading.Event(), threading.Event()

    def follow() -> None:
        for kind, obj in scene.api.watch(resource, scene.namespace, stop=stop):
            if obj["metadata"]["name"].startswith("marker-"):
                watching.set()
                continue
            shown = "gone" if kind == "DELETED" else state(obj)
            if seen[-1:] != [shown]:
                seen.append(shown)

    thread = threading.Thread(target=follow, daemon=True)
    thread.start()
    try:
        # Before it follows, nothing may happen: an API server forgets what it has told nobody.
        make = scene.pod if resource == "pods" else scene.claim
        make("marker-watch")
        scene.until("the watch", watching.is_set)
        scene.api.delete(resource, "marker-watch", scene.namespace, grace_period_seconds=0)
        yield seen
    finally:
        stop.set()
        thread.join()


def _claim_state(claim: Obj) -> Obj:
    status = claim.get("status") or {}
    return {
        "finalizers": claim["metadata"].get("finalizers") or [],
        "allocated": bool(status.get("allocation")),
        "holders": [row["name"] for row in status.get("reservedFor") or ()],
        "devices": len(status.get("devices") or ()),
        "deleting": "deletionTimestamp" in claim["metadata"],
    }


def _pod_state(pod: Obj) -> Obj:
    status = pod["status"]
    return {
        "node": pod["spec"].get("nodeName"),
        "nominated": status.get("nominatedNodeName"),
        "phase": status["phase"],
        "conditions": [{**row, "lastTransitionTime": ""} for row in status.get("conditions") or ()],
        "made": bool(status.get("resourceClaimStatuses")),
        "extended": bool(status.get("extendedResourceClaimStatus")),
        "deleting": "deletionTimestamp" in pod["metadata"],
    }


def _last(scene: Scene, seen: States, state: Any) -> None:
    scene.until(f"the state {state}", lambda: seen[-1:] == [state], lambda: seen)


def states_of_a_claim(scene: Scene) -> Picture:
    scene.publish("a")
    with _watched(scene, "resourceclaims", _claim_state) as seen:
        scene.claim()
        scene.pod(claim="claim")
        scene.bound()
        scene.finish()
        scene.free()
        scene.api.delete("resourceclaims", "claim", scene.namespace)
        _last(scene, seen, "gone")
    return scene.picture(states=seen)


def states_of_a_generated_claim(scene: Scene) -> Picture:
    scene.publish("a")
    scene.template()
    with _watched(scene, "resourceclaims", _claim_state) as seen:
        scene.pod(template="template")
        scene.bound()
        scene.finish()
        _last(scene, seen, "gone")
    return scene.picture(states=seen)


def states_of_an_extended_claim(scene: Scene) -> Picture:
    scene.publish("a")
    resource = f"{scene.name}.example.org/gpu"
    scene.device_class("extended", extendedResourceName=resource)
    both = {resource: "1"}
    container = {"name": "c", "image": "example.com/none", "resources": {"requests": both, "limits": both}}
    with _watched(scene, "resourceclaims", _claim_state) as seen:
        scene.pod(containers=[container])
        scene.bound()
        scene.finish()
        _last(scene, seen, "gone")
    return scene.picture(states=seen)


def states_of_a_pod(scene: Scene) -> Picture:
    scene.publish("a")
    scene.template()
    with _watched(scene, "pods", _pod_state) as seen:
        scene.pod(template="template")
        scene.bound()
        scene.delete_pod()
        _last(scene, seen, "gone")
    return scene.picture(states=seen)


def states_of_a_pod_without_claims(scene: Scene) -> Picture:
    with _watched(scene, "pods", _pod_state) as seen:
        scene.pod()
        scene.bound()
        scene.delete_pod()
        _last(scene, seen, "gone")
    return scene.picture(states=seen)


def states_of_a_pod_that_waits(scene: Scene) -> Picture:
    scene.claim()
    with _watched(scene, "pods", _pod_state) as seen:
        scene.pod(claim="claim")
        scene.told("cannot allocate")
        scene.publish("a")
        scene.bound()
        scene.delete_pod()
        _last(scene, seen, "gone")
    return scene.picture(states=seen)


def states_of_a_pod_that_is_evicted(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim()
    scene.pod(claim="claim", terminationGracePeriodSeconds=30)
    scene.bound()
    with _watched(scene, "pods", _pod_state) as seen:
        taint = {"key": "example.com/sick", "effect": "NoExecute"}
        scene.publish({"name": "a", "taints": [taint]}, generation=2)
        scene.until("the eviction", lambda: scene.get("pods", "pod")["metadata"].get("deletionTimestamp"))
        scene.delete_pod()
        _last(scene, seen, "gone")
    return scene.picture(states=seen)


def states_of_a_pod_whose_device_fails(scene: Scene) -> Picture:
    slow: Obj = {"bindingConditions": ["example.com/ready"], "bindingFailureConditions": ["example.com/broken"]}
    scene.publish({"name": "a", **slow})
    scene.claim()
    with _watched(scene, "resourceclaims", _claim_state) as claims, _watched(scene, "pods", _pod_state) as pods:
        scene.pod(claim="claim")
        scene.event("BindingConditionsPending")
        claim = scene.allocated()
        taints = [{"key": "example.com/broken", "effect": "NoSchedule"}]
        scene.publish({"name": "a", **slow, "taints": taints}, "b", generation=2)
        row = {"type": "example.com/broken", "status": "True", "reason": "Said", "message": "no"}
        rows = [{**row, "lastTransitionTime": "2026-01-01T00:00:00Z"}]
        claim["status"]["devices"] = [{"driver": scene.driver, "pool": "node", "device": "a", "conditions": rows}]
        scene.api.replace_status("resourceclaims", claim)
        scene.bound()
        scene.delete_pod()
        _last(scene, pods, "gone")
        scene.free()
    return scene.picture(claims=claims, pods=pods)
