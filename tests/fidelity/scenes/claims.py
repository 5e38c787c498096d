"""Generated claims, reservations, deallocation."""

from conformance.cluster.api import Invalid
from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Scene


def claim_is_made_from_a_template(scene: Scene) -> Picture:
    scene.publish("a")
    labels = {"labels": {"from": "template"}, "annotations": {"note": "kept"}}
    scene.template(metadata=labels)
    scene.pod(template="template")
    pod = scene.bound()
    return scene.picture(
        claim=scene.get("resourceclaims", scene.generated()),
        pod={"status": pod["status"], "node": pod["spec"]["nodeName"]},
        events=scene.events(),
    )


def long_names_are_cut(scene: Scene) -> Picture:
    scene.template()
    long = "a-pod-with-a-name-that-is-far-longer-than-what-fits-into-a-name-of-a-claim"
    claims = [
        {"name": "an-entry-with-a-long-name-too", "resourceClaimTemplateName": "template"},
        {"name": "b", "resourceClaimTemplateName": "template"},
    ]
    scene.pod(long, resourceClaims=claims, schedulingGates=[{"name": "example.com/wait"}])
    scene.until("both claims", lambda: len(scene.get("pods", long)["status"].get("resourceClaimStatuses") or []) == 2)
    claims = scene.api.list("resourceclaims", scene.namespace)["items"]
    rows = [{"made": claim["metadata"], "name": claim["metadata"]["name"][:-5]} for claim in claims]
    return scene.picture(claims=sorted(rows, key=str), status=scene.get("pods", long)["status"])


def template_is_missing_at_first(scene: Scene) -> Picture:
    scene.publish("a")
    scene.pod(template="template")
    scene.event("FailedResourceClaimCreation")
    before = scene.get("pods", "pod")
    scene.template()
    scene.bound()
    return scene.picture(before=before["status"], events=scene.events())


def two_pods_share_a_claim(scene: Scene) -> Picture:
    scene.publish("a", "b")
    scene.claim()
    scene.pod("one", claim="claim")
    scene.bound("one")
    scene.pod("two", claim="claim")
    scene.bound("two")
    shared = scene.allocated(holders=2)
    scene.delete_pod("one")
    kept = scene.allocated(holders=1)
    scene.delete_pod("two")
    return scene.picture(shared=shared, kept=kept, free=scene.free())


def finished_pod_gives_back(scene: Scene) -> Picture:
    scene.publish("a", "b")
    scene.claim()
    scene.template()
    scene.pod(claim="claim", template="template")
    scene.bound()
    made = scene.generated()
    scene.finish()
    free = scene.free()
    scene.gone("resourceclaims", made)
    return scene.picture(free=free, pod=scene.get("pods", "pod")["status"])


def deleted_pod_gives_back(scene: Scene) -> Picture:
    scene.publish("a", "b")
    scene.claim()
    scene.template()
    scene.pod(claim="claim", template="template")
    scene.bound()
    made = scene.generated()
    scene.delete_pod(grace=30)
    scene.settle()
    ending = scene.get("resourceclaims", "claim"), scene.get("resourceclaims", made)
    scene.delete_pod()
    free = scene.free()
    scene.gone("resourceclaims", made)
    return scene.picture(ending=ending, free=free)


def claim_in_use_waits_with_its_deletion(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim()
    scene.pod(claim="claim")
    scene.bound()
    scene.api.delete("resourceclaims", "claim", scene.namespace)
    scene.settle()
    scene.pod("late", claim="claim")
    scene.settle()
    waiting, late = scene.get("resourceclaims", "claim"), scene.get("pods", "late")
    scene.delete_pod()
    scene.gone("resourceclaims", "claim")
    return scene.picture(waiting=waiting, late=late["status"], events=scene.events())


def pod_of_the_same_name(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim()
    scene.pod(claim="claim")
    scene.bound()
    scene.delete_pod()
    scene.pod()
    scene.bound()
    return scene.picture(free=scene.free())


def pod_that_comes_with_its_node(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim()
    scene.pod("preset", claim="claim", nodeName=scene.named("node"))
    scene.settle()
    before = scene.get("resourceclaims", "claim")
    scene.pod(claim="claim")
    scene.bound()
    reserved = scene.allocated(holders=2)
    return scene.picture(before=before, reserved=reserved, preset=scene.get("pods", "preset")["status"])


def pod_with_its_node_and_a_template(scene: Scene) -> Picture:
    scene.publish("a")
    scene.template()
    scene.pod("preset", template="template", nodeName=scene.named("node"))
    made = scene.generated("preset")
    scene.settle()
    return scene.picture(claim=scene.get("resourceclaims", made))


def claim_has_no_room_for_more(scene: Scene) -> Picture:
    scene.publish("a")
    scene.claim()
    scene.pod("first", claim="claim")
    scene.bound("first")
    claim = scene.get("resourceclaims", "claim")
    for number in range(255):
        row = {"apiGroup": "example.com", "resource": "things", "name": f"n{number}", "uid": f"u{number}"}
        claim["status"]["reservedFor"].append(row)
    scene.api.replace_status("resourceclaims", claim)
    scene.pod(claim="claim")
    full = scene.told("Too many")
    scene.delete_pod("first")
    scene.bound()
    return scene.picture(full=full["status"], events=scene.events())


def generated_claim_is_deleted_by_somebody(scene: Scene) -> Picture:
    scene.template()
    entries = [{"name": name, "resourceClaimTemplateName": t} for name, t in (("made", "template"), ("late", "late"))]
    scene.pod(resourceClaims=entries, schedulingGates=[{"name": "example.com/wait"}])
    # It is told twice: by then the controller has seen the first claim, which it has made before.
    scene.event("FailedResourceClaimCreation")
    scene.until("the first claim", lambda: scene.api.list("resourceclaims", scene.namespace)["items"])
    unnoted = scene.get("pods", "pod")["status"].get("resourceClaimStatuses")
    scene.template("late")
    scene.until("both claims", lambda: len(_noted(scene)) == 2)
    names = _noted(scene)
    scene.api.delete("resourceclaims", names["made"], scene.namespace)
    scene.until("another claim", lambda: _noted(scene)["made"] != names["made"])
    return scene.picture(unnoted=unnoted, noted=_noted(scene), late=_noted(scene)["late"] == names["late"])


def _noted(scene: Scene) -> dict[str, str]:
    """The names of claims in the pod's status."""
    rows = scene.get("pods", "pod")["status"].get("resourceClaimStatuses") or []
    return {row["name"]: row["resourceClaimName"] for row in rows}


def claim_of_the_template_is_refused(scene: Scene) -> Picture:
    """The template came when its namespace allowed admin access; the claim comes too late."""
    label = "resource.kubernetes.io/admin-access"
    scene.api.patch("namespaces", scene.namespace, {"metadata": {"labels": {label: "true"}}})
    scene.template(adminAccess=True)
    scene.api.patch("namespaces", scene.namespace, {"metadata": {"labels": {label: None}}})
    scene.until("admin access to be refused", lambda: not _allowed(scene))
    scene.publish("a")
    scene.pod(template="template")
    scene.event("FailedResourceClaimCreation")
    pod = scene.get("pods", "pod")
    scene.api.patch("namespaces", scene.namespace, {"metadata": {"labels": {label: "true"}}})
    scene.bound()
    claim = scene.get("resourceclaims", scene.generated())
    return scene.picture(pod=pod["status"], claim=claim, events=scene.events())


def _allowed(scene: Scene) -> bool:
    """Whether claims with admin access may be made in the scene's namespace."""
    body = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaim",
        "metadata": {"name": "probe"},
        "spec": scene.request(adminAccess=True),
    }
    path = f"/apis/resource.k8s.io/v1/namespaces/{scene.namespace}/resourceclaims"
    try:
        scene.api.request("POST", path, query={"dryRun": "All"}, body=body)
    except Invalid:
        return False
    return True


def claim_is_named_twice(scene: Scene) -> Picture:
    scene.publish("a", "b")
    scene.claim()
    scene.pod(resourceClaims=[{"name": name, "resourceClaimName": "claim"} for name in ("one", "two")])
    first = scene.told("allocated elsewhere")
    second = scene.told("Duplicate")
    scene.claim_with("claim", lambda status: bool(status.get("allocation")), 0)
    # How a refusal words the value is a matter of the API server.
    why = scene.condition(second)["message"].partition("Duplicate value")[0]
    return scene.picture(claim=scene.get("resourceclaims", "claim"), first=first["status"], second=why)


def claim_is_not_there_yet(scene: Scene) -> Picture:
    scene.publish("a")
    scene.pod(claim="claim")
    scene.settle()
    before = scene.get("pods", "pod")
    scene.claim()
    scene.bound()
    return scene.picture(before=before["status"], after=scene.get("pods", "pod")["status"], events=scene.events())


def claim_of_an_unscheduled_pod_that_goes(scene: Scene) -> Picture:
    scene.template()
    scene.pod(template="template")
    made = scene.generated()
    pod = scene.told("cannot allocate")
    scene.delete_pod()
    scene.gone("resourceclaims", made)
    return scene.picture(pod=pod["status"])


def failed_pod_gives_back_and_another_gets_it(scene: Scene) -> Picture:
    scene.publish("a")
    scene.template()
    scene.pod("first", template="template")
    scene.bound("first")
    scene.pod(template="template")
    waiting = scene.told("cannot allocate")
    scene.finish("first", "Failed")
    bound = scene.bound()
    return scene.picture(waiting=waiting["status"], bound=bound["status"], events=scene.events())


def allocation_outlives_nobody(scene: Scene) -> Picture:
    """An allocated claim that was never reserved stays; deleted, it goes."""
    scene.publish("a")
    claim = scene.claim()
    result = {"request": "gpu", "driver": scene.driver, "pool": "node", "device": "a"}
    claim["metadata"]["finalizers"] = ["resource.kubernetes.io/delete-protection"]
    claim = scene.api.replace("resourceclaims", claim)
    claim["status"] = {"allocation": {"devices": {"results": [result]}}}
    scene.api.replace_status("resourceclaims", claim)
    scene.settle()
    idle = scene.get("resourceclaims", "claim")
    scene.api.delete("resourceclaims", "claim", scene.namespace)
    scene.gone("resourceclaims", "claim")
    return scene.picture(idle=idle)


def template_claim_belongs_to_another_pod(scene: Scene) -> Picture:
    """A claim that the pod's status names, but the pod does not own."""
    scene.publish("a")
    scene.claim("other")
    pod = scene.pod(template="template", schedulingGates=[{"name": "example.com/wait"}])
    scene.event("FailedResourceClaimCreation")
    rows = [{"name": "made", "resourceClaimName": "other"}]
    scene.api.patch("pods", "pod", {"status": {"resourceClaimStatuses": rows}}, scene.namespace, subresource="status")
    scene.api.patch("pods", "pod", {"spec": {"schedulingGates": None}}, scene.namespace)
    scene.settle()
    assert pod
    return scene.picture(pod=scene.get("pods", "pod")["status"])


def entry_that_needs_no_claim(scene: Scene) -> Picture:
    """A status entry without a name says that nothing is to be made."""
    scene.pod(template="template", schedulingGates=[{"name": "example.com/wait"}])
    scene.event("FailedResourceClaimCreation")
    rows = [{"name": "made"}]
    scene.api.patch("pods", "pod", {"status": {"resourceClaimStatuses": rows}}, scene.namespace, subresource="status")
    scene.api.patch("pods", "pod", {"spec": {"schedulingGates": None}}, scene.namespace)
    pod = scene.bound()
    claims = scene.api.list("resourceclaims", scene.namespace)["items"]
    return scene.picture(pod=pod["status"], claims=claims)


def pod_of_two_claims_of_two_drivers(scene: Scene) -> Picture:
    """Each node has what one claim needs; the pod can run on neither."""
    scene.node("second")
    scene.publish("a")
    pool = {"name": "second", "generation": 1, "resourceSliceCount": 1}
    driver = f"other.{scene.driver}"
    spec = {"driver": driver, "pool": pool, "nodeName": scene.named("second"), "devices": [{"name": "b"}]}
    scene.api.create("resourceslices", {"metadata": {"name": scene.named("other")}, "spec": spec})
    expression = f"device.driver == '{driver}'"
    selectors = [{"cel": {"expression": expression}}]
    body = {"metadata": {"name": scene.named("other")}, "spec": {"selectors": selectors}}
    scene.api.create("deviceclasses", body)
    scene.claim("one")
    scene.claim("two", deviceClassName=scene.named("other"))
    scene.pod(resourceClaims=[{"name": name, "resourceClaimName": name} for name in ("one", "two")])
    pod = scene.told("cannot allocate")
    claims = [scene.get("resourceclaims", name) for name in ("one", "two")]
    return scene.picture(pod=pod["status"], claims=claims)


def claim_is_deleted_while_the_pod_waits(scene: Scene) -> Picture:
    scene.claim()
    scene.pod(claim="claim")
    pod = scene.told("cannot allocate")
    scene.api.delete("resourceclaims", "claim", scene.namespace)
    scene.gone("resourceclaims", "claim")
    scene.publish("a")
    scene.settle()
    after = scene.get("pods", "pod")
    scene.claim()
    scene.bound()
    return scene.picture(pod=pod["status"], after=after["spec"].get("nodeName"))


def gated_pod_is_deleted(scene: Scene) -> Picture:
    scene.template()
    scene.pod(template="template", schedulingGates=[{"name": "example.com/wait"}])
    made = scene.generated()
    scene.delete_pod(grace=30)
    scene.gone("pods", "pod")
    scene.gone("resourceclaims", made)
    return scene.picture(left=scene.api.list("resourceclaims", scene.namespace)["items"])


def pod_that_is_held_by_a_finalizer(scene: Scene) -> Picture:
    """A deleted pod that never had a node will not run: it needs its claims no more, although it is still there."""
    scene.template()
    scene.pod(template="template")
    scene.api.patch("pods", "pod", {"metadata": {"finalizers": ["example.com/hold"]}}, scene.namespace)
    scene.told("cannot allocate")
    made = scene.generated()
    scene.delete_pod()
    scene.settle()
    there = scene.exists("resourceclaims", made)
    scene.api.patch("pods", "pod", {"metadata": {"finalizers": None}}, scene.namespace)
    scene.gone("resourceclaims", made)
    return scene.picture(there=there)
