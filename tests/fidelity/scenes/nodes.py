"""Nodes that keep pods away: every other pod is told of them, so that these scenes have the cluster for themselves."""

from typing import Any

from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Obj, Scene

HARD: Obj = {"key": "example.com/hard", "value": "yes", "effect": "NoSchedule"}
OUT: Obj = {"key": "example.com/out", "effect": "NoExecute"}


def _on(scene: Scene, node: str, **more: Any) -> Obj:
    return {"nodeSelector": {"scene": scene.name, "node": node}, **more}


def _left(scene: Scene, node: str, **parts: Any) -> Picture:
    """The picture, after which the node is gone."""
    picture = scene.picture(**parts)
    scene.api.delete("nodes", scene.named(node))
    return picture


def node_is_closed(scene: Scene) -> Picture:
    scene.node("closed", unschedulable=True)
    toleration = {"key": "node.kubernetes.io/unschedulable", "operator": "Exists", "effect": "NoSchedule"}
    scene.pod("careless", **_on(scene, "closed", tolerations=[toleration]))
    scene.bound("careless")
    scene.pod(**_on(scene, "closed"))
    pod = scene.told("unschedulable")
    scene.api.patch("nodes", scene.named("closed"), {"spec": {"unschedulable": None}})
    after = scene.bound()
    return _left(scene, "closed", pod=pod["status"], after=after["status"], events=scene.events())


def node_has_taints(scene: Scene) -> Picture:
    scene.node("tainted", taints=[{"key": "example.com/soft", "effect": "PreferNoSchedule"}, HARD, OUT])
    hard = {"key": "example.com/hard", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}
    out = {"key": "example.com/out", "operator": "Exists"}
    scene.pod("none", **_on(scene, "tainted"))
    scene.pod("one", **_on(scene, "tainted", tolerations=[hard]))
    scene.pod("wrong", **_on(scene, "tainted", tolerations=[{**hard, "value": "no"}, out]))
    scene.pod("both", **_on(scene, "tainted", tolerations=[hard, out]))
    scene.pod("everything", **_on(scene, "tainted", tolerations=[{"operator": "Exists"}]))
    scene.bound("both")
    scene.bound("everything")
    told = [scene.told("taint", pod=name)["status"] for name in ("none", "one", "wrong")]
    return _left(scene, "tainted", told=told, events=scene.events())


def pod_names_a_node_in_its_affinity(scene: Scene) -> Picture:
    """As pods of DaemonSets do: only that node is looked at."""
    scene.node("closed", unschedulable=True)
    field = {"key": "metadata.name", "operator": "In", "values": [scene.named("closed")]}
    terms = [{"matchFields": [field]}]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    scene.pod(affinity=affinity)
    return _left(scene, "closed", pod=scene.told("unschedulable")["status"])


def pod_names_two_nodes_at_once(scene: Scene) -> Picture:
    fields = [{"key": "metadata.name", "operator": "In", "values": [name]} for name in ("one", "two")]
    terms = [{"matchFields": fields}]
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    scene.pod(affinity=affinity)
    return scene.picture(pod=scene.told("conflict")["status"])
