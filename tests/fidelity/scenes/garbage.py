"""What goes with its owner, and what is left behind."""

from typing import Any

from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Obj, Scene


def _owned(scene: Scene, name: str, *owners: Obj, **more: Any) -> Obj:
    references = [
        {
            "apiVersion": owner["apiVersion"],
            "kind": owner["kind"],
            "name": owner["metadata"]["name"],
            "uid": owner["metadata"]["uid"],
            **more,
        }
        for owner in owners
    ]
    body = {"metadata": {"name": name, "ownerReferences": references}, "spec": scene.request()}
    return scene.api.create("resourceclaims", body, scene.namespace)


def _delete(scene: Scene, resource: str, name: str, policy: str) -> None:
    namespaced = f"/namespaces/{scene.namespace}" if resource != "nodes" else ""
    base = "/apis/resource.k8s.io/v1" if resource.startswith("resource") else "/api/v1"
    options = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": policy, "gracePeriodSeconds": 0}
    scene.api.request("DELETE", f"{base}{namespaced}/{resource}/{name}", body=options)


def _claims(scene: Scene) -> Any:
    return [row["metadata"] for row in scene.api.list("resourceclaims", scene.namespace)["items"]]


def claims_go_with_their_pod(scene: Scene) -> Picture:
    pod = scene.pod()
    _owned(scene, "owned", pod)
    _owned(scene, "blocking", pod, blockOwnerDeletion=True, controller=True)
    scene.settle()
    _delete(scene, "pods", "pod", "Background")
    scene.gone("resourceclaims", "owned")
    scene.gone("resourceclaims", "blocking")
    return scene.picture(left=_claims(scene))


def owner_waits_for_what_blocks_it(scene: Scene) -> Picture:
    owner = scene.claim("owner")
    held = _owned(scene, "held", owner, blockOwnerDeletion=True)
    _owned(scene, "idle", owner)
    held["metadata"]["finalizers"] = ["example.com/hold"]
    held = scene.api.replace("resourceclaims", held)
    scene.settle()
    _delete(scene, "resourceclaims", "owner", "Foreground")
    scene.gone("resourceclaims", "idle")
    scene.until("the deletion", lambda: scene.get("resourceclaims", "held")["metadata"].get("deletionTimestamp"))
    waiting = _claims(scene)
    held = scene.get("resourceclaims", "held")
    held["metadata"]["finalizers"] = []
    scene.api.replace("resourceclaims", held)
    scene.gone("resourceclaims", "owner")
    return scene.picture(waiting=waiting, left=_claims(scene))


def orphans_stay(scene: Scene) -> Picture:
    owner = scene.claim("owner")
    _owned(scene, "orphan", owner)
    scene.settle()
    _delete(scene, "resourceclaims", "owner", "Orphan")
    scene.gone("resourceclaims", "owner")
    scene.settle()
    return scene.picture(left=_claims(scene))


def owner_was_never_there(scene: Scene) -> Picture:
    nobody = scene.pod("nobody")
    scene.delete_pod("nobody")
    scene.gone("pods", "nobody")
    _owned(scene, "stray", nobody)
    scene.gone("resourceclaims", "stray")
    return scene.picture(left=_claims(scene))


def owner_was_replaced(scene: Scene) -> Picture:
    first = scene.pod("owner")
    scene.delete_pod("owner")
    scene.gone("pods", "owner")
    scene.pod("owner")
    _owned(scene, "stray", first)
    scene.gone("resourceclaims", "stray")
    return scene.picture(left=_claims(scene))


def one_of_two_owners_goes(scene: Scene) -> Picture:
    one, two = scene.pod("one"), scene.pod("two")
    _owned(scene, "shared", one, two)
    scene.settle()
    scene.delete_pod("one")
    scene.until(
        "the reference to go", lambda: len(scene.get("resourceclaims", "shared")["metadata"]["ownerReferences"]) == 1
    )
    kept = _claims(scene)
    scene.delete_pod("two")
    scene.gone("resourceclaims", "shared")
    return scene.picture(kept=kept)


def chain_of_owners(scene: Scene) -> Picture:
    first = scene.claim("first")
    second = _owned(scene, "second", first)
    _owned(scene, "third", second)
    scene.settle()
    scene.api.delete("resourceclaims", "first", scene.namespace)
    scene.gone("resourceclaims", "third")
    return scene.picture(left=_claims(scene))


def slices_go_with_their_node(scene: Scene) -> Picture:
    node = scene.api.get("nodes", scene.node("leaving"))
    scene.publish("a", node="leaving")
    scene.publish("b")
    row = scene.api.get("resourceslices", scene.named("leaving"))
    owner = {"apiVersion": "v1", "kind": "Node", "name": node["metadata"]["name"], "uid": node["metadata"]["uid"]}
    row["metadata"]["ownerReferences"] = [{**owner, "controller": True}]
    scene.api.replace("resourceslices", row)
    scene.settle()
    scene.api.delete("nodes", scene.named("leaving"))
    scene.gone("resourceslices", scene.named("leaving"), None)
    return scene.picture(kept=scene.api.get("resourceslices", scene.named("node"))["spec"])


def owner_in_no_namespace(scene: Scene) -> Picture:
    """A claim may belong to a node."""
    node = scene.api.get("nodes", scene.node("leaving"))
    _owned(scene, "owned", node)
    scene.settle()
    scene.api.delete("nodes", scene.named("leaving"))
    scene.gone("resourceclaims", "owned")
    return scene.picture(left=_claims(scene))


def namespace_takes_all_along(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim()
    scene.template()
    scene.pod(claim="claim", template="template")
    scene.told("cannot allocate")
    scene.api.delete("namespaces", scene.namespace)
    scene.gone("namespaces", scene.namespace, None)
    left = scene.api.list("resourceclaims", scene.namespace)["items"]
    return scene.picture(left=left)


def owner_of_an_unknown_kind(scene: Scene) -> Picture:
    uid = "11111111-2222-3333-4444-555555555555"
    owner = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x", "uid": uid}}
    _owned(scene, "owned", owner)
    scene.settle()
    return scene.picture(left=_claims(scene))


def slice_that_a_pod_owns(scene: Scene) -> Picture:
    """What has no namespace cannot belong to what has one: it stays."""
    pod = scene.pod()
    scene.publish("a")
    row = scene.api.get("resourceslices", scene.named("node"))
    row["metadata"]["ownerReferences"] = [
        {"apiVersion": "v1", "kind": "Pod", "name": "pod", "uid": pod["metadata"]["uid"]}
    ]
    scene.api.replace("resourceslices", row)
    scene.settle()
    scene.delete_pod()
    scene.settle()
    return scene.picture(there=scene.exists("resourceslices", scene.named("node"), None))


def owner_with_a_finalizer_keeps_its_claims(scene: Scene) -> Picture:
    owner = scene.claim("owner")
    owner["metadata"]["finalizers"] = ["example.com/hold"]
    owner = scene.api.replace("resourceclaims", owner)
    _owned(scene, "owned", owner)
    scene.settle()
    scene.api.delete("resourceclaims", "owner", scene.namespace)
    scene.settle()
    kept = _claims(scene)
    owner = scene.get("resourceclaims", "owner")
    owner["metadata"]["finalizers"] = []
    scene.api.replace("resourceclaims", owner)
    scene.gone("resourceclaims", "owned")
    return scene.picture(kept=kept)


def foreground_deletion_of_a_childless_owner(scene: Scene) -> Picture:
    scene.claim("owner")
    _delete(scene, "resourceclaims", "owner", "Foreground")
    scene.gone("resourceclaims", "owner")
    return scene.picture(left=_claims(scene))


def foreground_deletion_of_a_chain(scene: Scene) -> Picture:
    first = scene.claim("first")
    second = _owned(scene, "second", first, blockOwnerDeletion=True)
    _owned(scene, "third", second, blockOwnerDeletion=True)
    scene.settle()
    _delete(scene, "resourceclaims", "first", "Foreground")
    scene.gone("resourceclaims", "first")
    return scene.picture(left=_claims(scene))


def owner_by_an_older_version(scene: Scene) -> Picture:
    owner = scene.claim("owner")
    _owned(scene, "owned", {**owner, "apiVersion": "resource.k8s.io/v1beta2"})
    scene.settle()
    kept = _claims(scene)
    scene.api.delete("resourceclaims", "owner", scene.namespace)
    scene.gone("resourceclaims", "owned")
    return scene.picture(kept=kept)


def owner_by_another_name(scene: Scene) -> Picture:
    """The UID is right, the name is not: such an owner is not found."""
    owner = scene.claim("owner")
    wrong = {**owner, "metadata": {**owner["metadata"], "name": "other"}}
    _owned(scene, "owned", wrong)
    scene.gone("resourceclaims", "owned")
    return scene.picture(left=_claims(scene))
