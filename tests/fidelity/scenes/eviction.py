"""Eviction by taints of devices and by DeviceTaintRules."""

from datetime import datetime
from typing import Any

from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Obj, Scene

SICK: Obj = {"key": "example.com/sick", "value": "yes", "effect": "NoExecute"}


def _tolerating(seconds: int | None) -> list[Obj]:
    limit = {} if seconds is None else {"tolerationSeconds": seconds}
    return [{"key": "example.com/sick", "operator": "Exists", "effect": "NoExecute", **limit}]


def _using(scene: Scene, *, grace: int = 30, **request: Any) -> None:
    scene.publish("a", "b")
    scene.claim(**request)
    scene.pod(claim="claim", terminationGracePeriodSeconds=grace)
    scene.bound()


def _rule(scene: Scene, effect: str = "NoExecute", **selector: str) -> Obj:
    spec: Obj = {"taint": {**SICK, "effect": effect}}
    if selector:
        spec["deviceSelector"] = selector
    return scene.api.create("devicetaintrules", {"metadata": {"name": scene.named("rule")}, "spec": spec})


def _ruled(scene: Scene, reason: str) -> Obj:
    """The rule, once its condition has the reason."""

    def there() -> Obj | None:
        rule = scene.api.get("devicetaintrules", scene.named("rule"))
        rows = rule.get("status", {}).get("conditions") or []
        return rule if rows and rows[0]["reason"] == reason else None

    seen = lambda: scene.api.get("devicetaintrules", scene.named("rule"))  # noqa: E731
    found: Obj = scene.until(f"the rule to be {reason}", there, seen)
    return found


def _ending(scene: Scene, name: str = "pod") -> Obj:
    """The pod, once it is being deleted."""

    def there() -> Obj | None:
        pod = scene.get("pods", name)
        return pod if pod["metadata"].get("deletionTimestamp") else None

    found: Obj = scene.until(f"pod {name} to be evicted", there, lambda: scene.get("pods", name))
    return found


def _pod(pod: Obj) -> Obj:
    keys = ("deletionGracePeriodSeconds", "name")
    return {"metadata": {key: pod["metadata"].get(key) for key in keys}, "status": pod["status"]}


def taint_evicts(scene: Scene) -> Picture:
    _using(scene)
    scene.publish({"name": "a", "taints": [SICK]}, "b", generation=2)
    pod = _ending(scene)
    scene.event("DeviceTaintManagerEviction")
    return scene.picture(pod=_pod(pod), claim=scene.get("resourceclaims", "claim"), events=scene.events())


def taint_of_a_device_nobody_uses(scene: Scene) -> Picture:
    _using(scene)
    scene.publish("a", {"name": "b", "taints": [SICK]}, generation=2)
    scene.settle()
    return scene.picture(pod=_pod(scene.get("pods", "pod")), events=scene.events())


def taint_without_execution(scene: Scene) -> Picture:
    _using(scene)
    taints = [{**SICK, "effect": "NoSchedule"}, {**SICK, "effect": "None"}]
    scene.publish({"name": "a", "taints": taints}, "b", generation=2)
    scene.settle()
    return scene.picture(pod=_pod(scene.get("pods", "pod")), events=scene.events())


def taint_that_is_tolerated(scene: Scene) -> Picture:
    _using(scene, tolerations=_tolerating(None))
    scene.publish({"name": "a", "taints": [SICK]}, "b", generation=2)
    scene.settle()
    return scene.picture(pod=_pod(scene.get("pods", "pod")), claim=scene.get("resourceclaims", "claim"))


def taint_that_is_tolerated_for_a_time(scene: Scene) -> Picture:
    _using(scene, tolerations=_tolerating(2))
    scene.publish({"name": "a", "taints": [SICK]}, "b", generation=2)
    (taint,) = scene.api.get("resourceslices", scene.named("node"))["spec"]["devices"][0]["taints"]
    pod = _ending(scene)
    scene.event("DeviceTaintManagerEviction")
    evicted = scene.condition(pod, "DisruptionTarget")["lastTransitionTime"]
    waited = datetime.fromisoformat(evicted) - datetime.fromisoformat(taint["timeAdded"])
    return scene.picture(pod=_pod(pod), waited=waited.total_seconds() >= 2, events=scene.events())


def taint_goes_away_in_time(scene: Scene) -> Picture:
    _using(scene, tolerations=_tolerating(300))
    scene.publish({"name": "a", "taints": [SICK]}, "b", generation=2)
    scene.settle()
    scene.publish("a", "b", generation=3)
    scene.event("DeviceTaintManagerEviction")
    return scene.picture(pod=_pod(scene.get("pods", "pod")), events=scene.events())


def slice_goes_while_the_taint_is_tolerated(scene: Scene) -> Picture:
    _using(scene, tolerations=_tolerating(300))
    scene.publish({"name": "a", "taints": [SICK]}, "b", generation=2)
    scene.settle()
    scene.api.delete("resourceslices", scene.named("node"))
    scene.event("DeviceTaintManagerEviction")
    return scene.picture(pod=_pod(scene.get("pods", "pod")), events=scene.events())


def rule_evicts(scene: Scene) -> Picture:
    _using(scene)
    _rule(scene, driver=scene.driver, pool="node", device="a")
    pod = _ending(scene)
    scene.event("DeviceTaintManagerEviction")
    rule = _ruled(scene, "PodsPendingEviction")
    return scene.picture(pod=_pod(pod), rule=rule, events=scene.events())


def rule_has_evicted(scene: Scene) -> Picture:
    """After ten seconds the rule says how many."""
    _using(scene)
    _rule(scene, driver=scene.driver)
    _ending(scene)
    scene.delete_pod()
    return scene.picture(rule=_ruled(scene, "Completed"))


def rule_for_another_device(scene: Scene) -> Picture:
    _using(scene)
    _rule(scene, driver=scene.driver, device="b")
    rule = _ruled(scene, "NotStarted")
    scene.settle()
    return scene.picture(pod=_pod(scene.get("pods", "pod")), rule=rule)


def rule_without_selector(scene: Scene) -> Picture:
    _using(scene)
    _rule(scene)
    rule = _ruled(scene, "NotStarted")
    return scene.picture(pod=_pod(scene.get("pods", "pod")), rule=rule)


def rule_without_effect(scene: Scene) -> Picture:
    _using(scene)
    _rule(scene, "None", driver=scene.driver)
    return scene.picture(rule=_ruled(scene, "NoEffect"))


def rule_without_effect_and_without_devices(scene: Scene) -> Picture:
    _rule(scene, "None", driver=scene.driver)
    return scene.picture(rule=_ruled(scene, "NoEffect"))


def rule_against_scheduling(scene: Scene) -> Picture:
    scene.publish("a")
    _rule(scene, "NoSchedule", driver=scene.driver)
    rule = _ruled(scene, "OtherEffect")
    scene.claim()
    scene.pod(claim="claim")
    pod = scene.told("cannot allocate")
    scene.api.delete("devicetaintrules", scene.named("rule"))
    scene.bound()
    return scene.picture(rule=rule, pod=pod["status"], claim=scene.get("resourceclaims", "claim"))


def rule_changes_its_effect(scene: Scene) -> Picture:
    _using(scene)
    _rule(scene, "None", driver=scene.driver, device="a")
    before = _ruled(scene, "NoEffect")
    rule = scene.api.get("devicetaintrules", scene.named("rule"))
    rule["spec"]["taint"]["effect"] = "NoExecute"
    scene.api.replace("devicetaintrules", rule)
    pod = _ending(scene)
    return scene.picture(before=before, rule=_ruled(scene, "PodsPendingEviction"), pod=_pod(pod))


def rule_goes_while_it_is_tolerated(scene: Scene) -> Picture:
    _using(scene, tolerations=_tolerating(300))
    _rule(scene, driver=scene.driver)
    rule = _ruled(scene, "PodsPendingEviction")
    scene.api.delete("devicetaintrules", scene.named("rule"))
    scene.event("DeviceTaintManagerEviction")
    return scene.picture(rule=rule, pod=_pod(scene.get("pods", "pod")), events=scene.events())


def rule_evicts_two_pods(scene: Scene) -> Picture:
    _using(scene, tolerations=_tolerating(300))
    scene.claim("second", tolerations=_tolerating(300))
    scene.pod("other", claim="second")
    scene.bound("other")
    _rule(scene, driver=scene.driver)
    return scene.picture(rule=_ruled(scene, "PodsPendingEviction"))


def tainted_device_is_not_given_to_pods(scene: Scene) -> Picture:
    scene.publish({"name": "a", "taints": [SICK]}, {"name": "b", "taints": [{**SICK, "effect": "None"}]})
    scene.claim()
    scene.pod(claim="claim")
    scene.bound()
    return scene.picture(claim=scene.get("resourceclaims", "claim"))


def extended_resource_is_evicted(scene: Scene) -> Picture:
    scene.publish("a")
    scene.device_class("extended", extendedResourceName=f"{scene.name}.example.org/gpu")
    both = {f"{scene.name}.example.org/gpu": "1"}
    container = {"name": "c", "image": "example.com/none", "resources": {"requests": both, "limits": both}}
    scene.pod(containers=[container], terminationGracePeriodSeconds=30)
    scene.bound()
    scene.publish({"name": "a", "taints": [SICK]}, generation=2)
    pod = _ending(scene)
    return scene.picture(pod=_pod(pod))


def pod_of_two_claims_goes_with_the_first(scene: Scene) -> Picture:
    scene.publish("a", "b")
    scene.claim("patient", tolerations=_tolerating(300))
    scene.claim("hasty")
    entries = [{"name": name, "resourceClaimName": name} for name in ("patient", "hasty")]
    scene.pod(resourceClaims=entries, terminationGracePeriodSeconds=30)
    scene.bound()
    _rule(scene, driver=scene.driver)
    pod = _ending(scene)
    return scene.picture(pod=_pod(pod), rule=_ruled(scene, "PodsPendingEviction"))


def finished_pod_is_not_evicted(scene: Scene) -> Picture:
    _using(scene)
    scene.finish()
    scene.free()
    scene.publish({"name": "a", "taints": [SICK]}, "b", generation=2)
    _rule(scene, driver=scene.driver)
    rule = _ruled(scene, "NotStarted")
    return scene.picture(rule=rule, pod=_pod(scene.get("pods", "pod")), events=scene.events())


def toleration_of_another_value(scene: Scene) -> Picture:
    tolerations = [
        {"key": "example.com/sick", "operator": "Equal", "value": "no", "effect": "NoExecute"},
        {"key": "example.com/sick", "operator": "Equal", "value": "yes", "effect": "NoSchedule"},
    ]
    _using(scene, tolerations=tolerations)
    scene.publish({"name": "a", "taints": [SICK]}, "b", generation=2)
    return scene.picture(pod=_pod(_ending(scene)))


def pending_pod_meets_a_taint(scene: Scene) -> Picture:
    """Without NoExecute being tolerated the device is not given either."""
    scene.publish({"name": "a", "taints": [SICK]})
    scene.claim()
    scene.pod(claim="claim")
    pod = scene.told("cannot allocate")
    scene.publish("a", generation=2)
    scene.bound()
    return scene.picture(pod=pod["status"])


def rule_moves_to_another_device(scene: Scene) -> Picture:
    _using(scene, tolerations=_tolerating(300))
    _rule(scene, driver=scene.driver, device="a")
    before = _ruled(scene, "PodsPendingEviction")
    rule = scene.api.get("devicetaintrules", scene.named("rule"))
    rule["spec"]["deviceSelector"]["device"] = "b"
    scene.api.replace("devicetaintrules", rule)
    scene.event("DeviceTaintManagerEviction")
    return scene.picture(before=before, rule=_ruled(scene, "NotStarted"), events=scene.events())


def rule_without_effect_counts_who_tolerates(scene: Scene) -> Picture:
    """A pod that tolerates the taint for a time would be evicted, one that always tolerates it would not."""
    scene.publish("a", "b")
    scene.claim("patient", tolerations=_tolerating(300))
    scene.claim("immune", tolerations=_tolerating(None))
    for name in ("patient", "immune"):
        scene.pod(name, claim=name)
        scene.bound(name)
    _rule(scene, "None", driver=scene.driver)
    return scene.picture(rule=_ruled(scene, "NoEffect"))


def rule_is_made_again(scene: Scene) -> Picture:
    """What an earlier rule of the name has evicted, does not count."""
    _using(scene)
    _rule(scene, driver=scene.driver)
    _ending(scene)
    scene.delete_pod()
    scene.free()
    scene.api.delete("devicetaintrules", scene.named("rule"))
    _rule(scene, driver=scene.driver)
    return scene.picture(rule=_ruled(scene, "NotStarted"))
