"""Where pods go, and what they are told when they go nowhere."""

from typing import Any

from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Obj, Scene


def _container(**requests: str) -> list[Obj]:
    return [{"name": "c", "image": "example.com/none", "resources": {"requests": requests}}]


def _there(scene: Scene, node: str, **more: Any) -> Obj:
    return {"nodeSelector": {"scene": scene.name, "node": node}, **more}


def pod_waits_at_a_gate(scene: Scene) -> Picture:
    scene.publish("a")
    scene.template()
    scene.pod(template="template", schedulingGates=[{"name": "example.com/wait"}])
    scene.generated()
    scene.settle()
    before = scene.get("pods", "pod")
    scene.api.patch("pods", "pod", {"spec": {"schedulingGates": None}}, scene.namespace)
    after = scene.bound()
    return scene.picture(before=before["status"], after=after["status"], events=scene.events())


def pods_want_more_than_the_node_has(scene: Scene) -> Picture:
    scene.pod("first", containers=_container(cpu="1500m", memory="100Mi"))
    scene.bound("first")
    scene.pod("cpu", containers=_container(cpu="600m"))
    scene.pod("memory", containers=_container(memory="2Gi"))
    scene.pod("both", containers=_container(cpu="3", memory="1Gi", **{"ephemeral-storage": "2Gi"}))
    scene.pod("fits", containers=_container(cpu="500m"))
    scene.bound("fits")
    told = [scene.told("Insufficient", pod=name)["status"] for name in ("cpu", "memory", "both")]
    scene.finish("first")
    scene.bound("cpu")
    return scene.picture(told=told)


def node_is_full_of_pods(scene: Scene) -> Picture:
    scene.node("small", room={"pods": "1"})
    scene.pod("first", **_there(scene, "small"))
    scene.bound("first")
    scene.pod(**_there(scene, "small"))
    pod = scene.told("Too many pods")
    scene.delete_pod("first")
    return scene.picture(pod=pod["status"], after=scene.bound()["status"])


def device_is_taken_but_the_node_is_full(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim()
    scene.pod(claim="claim", containers=_container(cpu="3"))
    pod = scene.told("Insufficient")
    return scene.picture(pod=pod["status"], claim=scene.get("resourceclaims", "claim"))


def class_is_missing(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim(deviceClassName=scene.named("other"))
    scene.pod(claim="claim")
    pod = scene.told("does not exist")
    scene.device_class("other")
    return scene.picture(pod=pod["status"], after=scene.bound()["status"], events=scene.events())


def selector_fails(scene: Scene) -> Picture:
    scene.publish("a")
    expression = f"device.attributes['{scene.driver}'].model == 'x'"
    scene.claim(selectors=[{"cel": {"expression": expression}}])
    scene.pod(claim="claim")
    pod = scene.told("no such key")
    scene.publish({"name": "a", "attributes": {"model": {"string": "x"}}}, generation=2)
    return scene.picture(pod=pod["status"], after=scene.bound()["status"], events=scene.events())


def claim_is_on_another_node(scene: Scene) -> Picture:
    scene.publish("a")
    scene.node("second")
    scene.publish("b", node="second")
    scene.claim()
    scene.pod("holder", claim="claim", **_there(scene, "node"))
    scene.bound("holder")
    scene.pod(claim="claim", **_there(scene, "second"))
    pod = scene.told("not available on the node")
    scene.settle()
    claim = scene.get("resourceclaims", "claim")
    scene.delete_pod("holder")
    after = scene.bound()
    return scene.picture(pod=pod["status"], claim=claim, after=after["status"], events=scene.events())


def idle_claim_is_on_another_node(scene: Scene) -> Picture:
    """Nobody has reserved the claim: the scheduler deallocates it and tries again."""
    scene.publish("a")
    scene.node("second")
    scene.publish("b", node="second")
    claim = scene.claim()
    claim["metadata"]["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    claim = scene.api.replace("resourceclaims", claim)
    field = {"key": "metadata.name", "operator": "In", "values": [scene.named("node")]}
    result = {"request": "gpu", "driver": scene.driver, "pool": "node", "device": "a"}
    claim["status"] = {
        "allocation": {
            "devices": {"results": [result]},
            "nodeSelector": {"nodeSelectorTerms": [{"matchFields": [field]}]},
        }
    }
    scene.api.replace_status("resourceclaims", claim)
    scene.settle()
    scene.pod(claim="claim", **_there(scene, "second"))
    scene.bound()
    return scene.picture(claim=scene.get("resourceclaims", "claim"), events=scene.events())


def pod_of_another_scheduler(scene: Scene) -> Picture:
    scene.pod(schedulerName="another")
    scene.settle()
    pod = scene.get("pods", "pod")
    return scene.picture(status=pod["status"], node=pod["spec"].get("nodeName"), events=scene.events())


def node_affinity_of_the_pod(scene: Scene) -> Picture:
    scene.node("second")
    wanted = [{"key": "node", "operator": "NotIn", "values": ["node"]}, {"key": "scene", "operator": "Exists"}]
    affinity = {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": wanted}]}
        }
    }
    scene.pod(affinity=affinity)
    pod = scene.bound()
    return scene.picture(node=pod["spec"]["nodeName"])


def better_alternative_decides_the_node(scene: Scene) -> Picture:
    scene.node("alpha")
    scene.publish({"name": "small", "attributes": {"kind": {"string": "small"}}}, node="alpha")
    scene.node("omega")
    scene.publish({"name": "large", "attributes": {"kind": {"string": "large"}}}, node="omega")

    def wanting(kind: str) -> Obj:
        expression = f"device.attributes['{scene.driver}'].kind == '{kind}'"
        return {
            "name": kind,
            "deviceClassName": scene.named("class"),
            "selectors": [{"cel": {"expression": expression}}],
        }

    requests = [{"name": "gpu", "firstAvailable": [wanting("large"), wanting("small")]}]
    scene.api.create(
        "resourceclaims", {"metadata": {"name": "claim"}, "spec": {"devices": {"requests": requests}}}, scene.namespace
    )
    scene.settle()
    scene.pod(claim="claim")
    pod = scene.bound()
    return scene.picture(node=pod["spec"]["nodeName"], claim=scene.get("resourceclaims", "claim")["status"])


def each_node_lacks_something_else(scene: Scene) -> Picture:
    scene.publish("a")
    scene.node("second", room={"cpu": "8"})
    scene.claim()
    scene.pod(claim="claim", containers=_container(cpu="4"))
    pod = scene.told("Insufficient", "cannot allocate")
    return scene.picture(pod=pod["status"], claim=scene.get("resourceclaims", "claim"))


def init_containers_want_more(scene: Scene) -> Picture:
    init = [
        {"name": "i", "image": "example.com/none", "resources": {"requests": {"cpu": "3"}}},
        {
            "name": "s",
            "image": "example.com/none",
            "restartPolicy": "Always",
            "resources": {"requests": {"memory": "1Gi"}},
        },
    ]
    scene.pod(initContainers=init, containers=_container(cpu="1", memory="1Mi"))
    return scene.picture(pod=scene.told("Insufficient")["status"])


def node_gets_more_room(scene: Scene) -> Picture:
    scene.node("small", room={"cpu": "1"})
    scene.pod(**_there(scene, "small", containers=_container(cpu="2")))
    pod = scene.told("Insufficient")
    room = {"status": {"allocatable": {"cpu": "2"}, "capacity": {"cpu": "2"}}}
    scene.api.patch("nodes", scene.named("small"), room, subresource="status")
    return scene.picture(pod=pod["status"], after=scene.bound()["status"])


def pod_selects_a_label_that_comes_later(scene: Scene) -> Picture:
    scene.pod(nodeSelector={"scene": scene.name, "zone": "z"})
    scene.settle()
    before = scene.get("pods", "pod")["spec"].get("nodeName")
    scene.api.patch("nodes", scene.named("node"), {"metadata": {"labels": {"zone": "z"}}})
    return scene.picture(before=before, after=scene.bound()["spec"]["nodeName"])


def gate_opens_and_nothing_fits(scene: Scene) -> Picture:
    scene.claim()
    scene.pod(claim="claim", schedulingGates=[{"name": "example.com/wait"}])
    scene.api.patch("pods", "pod", {"spec": {"schedulingGates": None}}, scene.namespace)
    return scene.picture(pod=scene.told("cannot allocate")["status"])


def class_selects_more_later(scene: Scene) -> Picture:
    scene.publish("a")
    name = scene.named("class")
    spec = {"selectors": [{"cel": {"expression": "device.driver == 'nobody.example.com'"}}]}
    scene.api.patch("deviceclasses", name, {"spec": spec})
    scene.settle()
    scene.claim()
    scene.pod(claim="claim")
    pod = scene.told("cannot allocate")
    spec = {"selectors": [{"cel": {"expression": f"device.driver == '{scene.driver}'"}}]}
    scene.api.patch("deviceclasses", name, {"spec": spec})
    return scene.picture(pod=pod["status"], after=scene.bound()["status"])


def pod_tolerates_more_later(scene: Scene) -> Picture:
    """The claim of a waiting pod is replaced by one that tolerates the taint."""
    taint = {"key": "example.com/odd", "effect": "NoSchedule"}
    scene.publish({"name": "a", "taints": [taint]})
    scene.claim()
    scene.pod(claim="claim")
    pod = scene.told("cannot allocate")
    scene.api.delete("resourceclaims", "claim", scene.namespace)
    scene.gone("resourceclaims", "claim")
    scene.claim(tolerations=[{"key": "example.com/odd", "operator": "Exists"}])
    scene.bound()
    return scene.picture(pod=pod["status"], claim=scene.get("resourceclaims", "claim"))
