"""Extended resources: containers ask for a resource by its name, and the scheduler makes the claim."""

from typing import Any

from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Obj, Scene

IMPLICIT = "deviceclass.resource.kubernetes.io/"


def _resource(scene: Scene, name: str = "gpu") -> str:
    return f"{scene.name}.example.org/{name}"


def _container(name: str, resources: Obj, **more: Any) -> Obj:
    both = {key: str(value) for key, value in resources.items()}
    return {
        "name": name,
        "image": "example.com/none",
        "resources": {"requests": both, "limits": both},
        **more,
    }


def _claim(scene: Scene, pod: str = "pod") -> Obj:
    status = scene.get("pods", pod)["status"].get("extendedResourceClaimStatus") or {}
    return scene.get("resourceclaims", status["resourceClaimName"])


def class_names_a_resource(scene: Scene) -> Picture:
    scene.publish("a", "b")
    resource = _resource(scene)
    scene.device_class("extended", extendedResourceName=resource)
    scene.pod(containers=[_container("c", {resource: 1})])
    pod = scene.bound()
    return scene.picture(status=pod["status"], claim=_claim(scene), events=scene.events())


def resource_is_asked_for_by_limits_only(scene: Scene) -> Picture:
    scene.publish("a")
    resource = _resource(scene)
    scene.device_class("extended", extendedResourceName=resource)
    container = {"name": "c", "image": "example.com/none", "resources": {"limits": {resource: "1"}}}
    scene.pod(containers=[container])
    pod = scene.bound()
    return scene.picture(status=pod["status"], claim=_claim(scene)["spec"])


def resource_is_implied_by_the_class(scene: Scene) -> Picture:
    scene.publish("a", "b", "c")
    scene.pod(containers=[_container("c", {IMPLICIT + scene.named("class"): 2})])
    pod = scene.bound()
    return scene.picture(status=pod["status"], claim=_claim(scene))


def several_containers_and_resources(scene: Scene) -> Picture:
    scene.publish(*(f"d{number}" for number in range(9)))
    one, two = _resource(scene, "one"), _resource(scene, "two")
    scene.device_class("one", extendedResourceName=one)
    scene.device_class("two", extendedResourceName=two)
    containers = [
        _container("first", {two: 2, "cpu": "100m", one: 1}),
        _container("second", {one: 1}),
        _container("third", {"memory": "1Mi"}),
    ]
    scene.pod(containers=containers)
    pod = scene.bound()
    return scene.picture(status=pod["status"], claim=_claim(scene))


def init_containers_reuse_devices(scene: Scene) -> Picture:
    scene.publish(*(f"d{number}" for number in range(9)))
    resource = _resource(scene)
    scene.device_class("extended", extendedResourceName=resource)
    scene.pod(
        initContainers=[
            _container("small", {resource: 1}),
            _container("sidecar", {resource: 1}, restartPolicy="Always"),
            _container("large", {resource: 4}),
            _container("larger", {resource: 5}),
        ],
        containers=[_container("c", {resource: 2})],
    )
    pod = scene.bound()
    return scene.picture(status=pod["status"], claim=_claim(scene))


def newer_class_of_the_same_resource_wins(scene: Scene) -> Picture:
    scene.publish("a")
    resource = _resource(scene)
    scene.device_class("older", extendedResourceName=resource)
    created = scene.api.get("deviceclasses", scene.named("older"))["metadata"]["creationTimestamp"]

    def another_second() -> bool:
        probe = scene.api.create("configmaps", {"metadata": {"generateName": "clock-"}}, scene.namespace)
        return bool(probe["metadata"]["creationTimestamp"] != created)

    scene.until("the next second", another_second)
    scene.device_class("newer", extendedResourceName=resource)
    scene.settle()
    scene.pod(containers=[_container("c", {resource: 1})])
    scene.bound()
    return scene.picture(claim=_claim(scene)["spec"])


def node_has_it_from_a_device_plugin(scene: Scene) -> Picture:
    scene.publish("a")
    resource = _resource(scene)
    scene.node("plugin", room={resource: "1"})
    scene.device_class("extended", extendedResourceName=resource)
    where = {"scene": scene.name, "node": "plugin"}
    scene.pod("one", containers=[_container("c", {resource: 1})], nodeSelector=where)
    scene.bound("one")
    scene.pod("two", containers=[_container("c", {resource: 1})], nodeSelector=where)
    full = scene.told("Insufficient", pod="two")
    scene.pod("three", containers=[_container("c", {resource: 1})], nodeSelector={**where, "node": "node"})
    scene.bound("three")
    return scene.picture(
        one=scene.get("pods", "one")["status"],
        two=full["status"],
        three=_claim(scene, "three")["status"],
        events=scene.events(),
    )


def nobody_has_the_resource(scene: Scene) -> Picture:
    resource = _resource(scene)
    scene.pod(containers=[_container("c", {resource: 1})])
    unknown = scene.told("Insufficient")
    scene.device_class("extended", extendedResourceName=resource)
    no_device = scene.told("cannot allocate")
    scene.publish("a")
    scene.bound()
    claims = scene.api.list("resourceclaims", scene.namespace)["items"]
    return scene.picture(unknown=unknown["status"], no_device=no_device["status"], claims=len(claims))


def too_many_are_asked_for(scene: Scene) -> Picture:
    scene.publish("a", "b")
    resource = _resource(scene)
    scene.device_class("extended", extendedResourceName=resource)
    scene.pod(containers=[_container("c", {resource: 3})])
    pod = scene.told("cannot allocate")
    claims = scene.api.list("resourceclaims", scene.namespace)["items"]
    return scene.picture(pod=pod["status"], claims=claims)


def extended_claim_goes_with_its_pod(scene: Scene) -> Picture:
    scene.publish("a")
    resource = _resource(scene)
    scene.device_class("extended", extendedResourceName=resource)
    scene.pod("one", containers=[_container("c", {resource: 1})])
    scene.bound("one")
    first = _claim(scene, "one")["metadata"]["name"]
    scene.pod("two", containers=[_container("c", {resource: 1})])
    scene.told("cannot allocate", pod="two")
    scene.finish("one")
    scene.gone("resourceclaims", first)
    scene.bound("two")
    second = _claim(scene, "two")
    scene.delete_pod("two")
    scene.gone("resourceclaims", second["metadata"]["name"])
    return scene.picture(one=scene.get("pods", "one")["status"], second=second)


def extended_resource_beside_a_claim(scene: Scene) -> Picture:
    scene.publish("a", "b", "c")
    resource = _resource(scene)
    scene.device_class("extended", extendedResourceName=resource)
    scene.claim()
    scene.template()
    container = _container("c", {resource: 1})
    container["resources"]["claims"] = [{"name": "named"}, {"name": "made"}]
    scene.pod(claim="claim", template="template", containers=[container])
    scene.bound()
    claims = [scene.get("resourceclaims", name) for name in ("claim", scene.generated())]
    return scene.picture(
        status=scene.get("pods", "pod")["status"], extended=_claim(scene), claims=[row["status"] for row in claims]
    )


def class_is_given_a_resource_later(scene: Scene) -> Picture:
    scene.publish("a")
    resource = _resource(scene)
    scene.pod(containers=[_container("c", {resource: 1})])
    pod = scene.told("Insufficient")
    selectors = scene.api.get("deviceclasses", scene.named("class"))["spec"]["selectors"]
    spec = {"extendedResourceName": resource, "selectors": selectors}
    scene.api.patch("deviceclasses", scene.named("class"), {"spec": spec})
    scene.bound()
    return scene.picture(pod=pod["status"], claim=_claim(scene)["spec"])


def node_with_a_device_plugin_beside_one_with_devices(scene: Scene) -> Picture:
    scene.publish("a")
    resource = _resource(scene)
    scene.node("plugin", room={resource: "1"})
    scene.device_class("extended", extendedResourceName=resource)
    for name in ("one", "two"):
        scene.pod(name, containers=[_container("c", {resource: 1})])
        scene.bound(name)
    scene.pod("three", containers=[_container("c", {resource: 1})])
    pod = scene.told("Insufficient", "cannot allocate", pod="three")
    claims = scene.api.list("resourceclaims", scene.namespace)["items"]
    nodes = sorted(scene.get("pods", name)["spec"]["nodeName"] for name in ("one", "two"))
    return scene.picture(nodes=nodes, three=pod["status"], claims=[claim["spec"] for claim in claims])


def extended_device_fails_to_become_ready(scene: Scene) -> Picture:
    slow: Obj = {"bindingConditions": ["example.com/ready"], "bindingFailureConditions": ["example.com/broken"]}
    scene.publish({"name": "a", **slow})
    scene.device_class("extended", extendedResourceName=_resource(scene))
    scene.pod(containers=[_container("c", {_resource(scene): 1})])
    scene.event("BindingConditionsPending")
    claim = scene.until("a claim", lambda: (scene.api.list("resourceclaims", scene.namespace)["items"] or [None])[0])
    taints = [{"key": "example.com/broken", "effect": "NoSchedule"}]
    scene.publish({"name": "a", **slow, "taints": taints}, "b", generation=2)
    row = {"type": "example.com/broken", "status": "True", "reason": "Said", "message": "no"}
    rows = [{**row, "lastTransitionTime": "2026-01-01T00:00:00Z"}]
    claim = scene.claim_with(claim["metadata"]["name"], lambda status: bool(status.get("allocation")), 1)
    claim["status"]["devices"] = [{"driver": scene.driver, "pool": "node", "device": "a", "conditions": rows}]
    scene.api.replace_status("resourceclaims", claim)
    scene.bound()
    claims = scene.api.list("resourceclaims", scene.namespace)["items"]
    return scene.picture(
        claims=[row["status"] for row in claims], pod=scene.get("pods", "pod")["status"], events=scene.events()
    )


def class_of_the_implied_resource_is_missing(scene: Scene) -> Picture:
    scene.publish("a")
    scene.pod(containers=[_container("c", {IMPLICIT + scene.named("later"): 1})])
    pod = scene.told("Insufficient")
    scene.device_class("later")
    scene.bound()
    return scene.picture(pod=pod["status"], claim=_claim(scene)["spec"])


def device_plugin_of_the_node_has_nothing_left(scene: Scene) -> Picture:
    """A node that says that it has none of the resource is taken to have it by its devices."""
    resource = _resource(scene)
    scene.node("empty", room={resource: "0"})
    scene.publish("a", node="empty")
    scene.device_class("extended", extendedResourceName=resource)
    scene.pod(containers=[_container("c", {resource: 1})], nodeSelector={"scene": scene.name, "node": "empty"})
    scene.bound()
    return scene.picture(claim=_claim(scene)["status"])


def only_an_init_container_asks(scene: Scene) -> Picture:
    scene.publish("a", "b")
    resource = _resource(scene)
    scene.device_class("extended", extendedResourceName=resource)
    scene.pod(initContainers=[_container("i", {resource: 2})], containers=[_container("c", {resource: 0})])
    pod = scene.bound()
    return scene.picture(status=pod["status"], claim=_claim(scene))
