"""ResourceClaims, templates and classes are refused for what the real API server refuses."""

from typing import Any

import pytest

from conformance.cluster.api import Invalid
from conformance.cluster.embedded.apiserver import Store
from tests.embedded_apiserver.objects import Object, a_claim, an_allocation

REQUEST = {"name": "gpu", "exactly": {"deviceClassName": "gpu.example.com"}}
REFERENCE = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
CONFIG: dict[str, Any] = {"opaque": {"driver": "gpu.example.com", "parameters": {"kind": "GpuConfig"}}}


def claim(**devices: Any) -> Object:
    return {"metadata": {"name": "bad"}, "spec": {"devices": {"requests": [REQUEST], **devices}}}


BAD = {
    "no kind": (claim(requests=[{"name": "gpu"}]), "spec.devices.requests[0]", "exactly one of `exactly` or"),
    "name": (claim(requests=[{**REQUEST, "name": "G"}]), "spec.devices.requests[0].name", "RFC 1123 label"),
    "same name": (claim(requests=[REQUEST, REQUEST]), "spec.devices.requests[1]", 'Duplicate value: {"name":"gpu"'),
    "class": (a_claim("bad", deviceClassName=""), "spec.devices.requests[0].exactly.deviceClassName", "Required value"),
    "count": (a_claim("bad", count=-1), "spec.devices.requests[0].exactly.count", "must be greater than zero"),
    "all with count": (
        a_claim("bad", allocationMode="All", count=2),
        "spec.devices.requests[0].exactly.count",
        "Invalid value: 2: must not be specified when allocationMode is 'All'",
    ),
    "mode": (
        a_claim("bad", allocationMode="Some"),
        "spec.devices.requests[0].exactly.allocationMode",
        'Unsupported value: "Some": supported values: "All", "ExactCount"',
    ),
    "alternatives": (
        claim(
            requests=[{"name": "gpu", "firstAvailable": [{"name": f"r{i}", "deviceClassName": "c"} for i in range(9)]}]
        ),
        "spec.devices.requests[0].firstAvailable",
        "Too many: 9: must have at most 8 items",
    ),
    "selector": (
        a_claim("bad", selectors=[{"cel": {"expression": "device.colour"}}]),
        "spec.devices.requests[0].exactly.selectors[0].cel.expression",
        "compilation failed: ",
    ),
    "not a bool": (
        a_claim("bad", selectors=[{"cel": {"expression": "device.driver"}}]),
        "spec.devices.requests[0].exactly.selectors[0].cel.expression",
        "must evaluate to bool",
    ),
    "constraint": (claim(constraints=[{"matchAttribute": "a"}]), "spec.devices.constraints[0].matchAttribute", "fully"),
    "empty constraint": (claim(constraints=[{}]), "spec.devices.constraints[0]", "exactly one of"),
    "reference": (claim(config=[{**CONFIG, "requests": ["other"]}]), "spec.devices.config[0].requests[0]", REFERENCE),
    "no parameters": (
        claim(config=[{"opaque": {"driver": "gpu.example.com"}}]),
        "spec.devices.config[0].opaque.parameters",
        "Required value",
    ),
    "parameters": (
        claim(config=[{"opaque": {"driver": "gpu.example.com", "parameters": [1]}}]),
        "spec.devices.config[0].opaque.parameters",
        'Invalid value: "<value omitted>": must be a valid JSON object',
    ),
    "large parameters": (
        claim(config=[{"opaque": {"driver": "gpu.example.com", "parameters": {"a": "x" * 11000}}}]),
        "spec.devices.config[0].opaque.parameters",
        "Too long: may not be more than 10240 bytes",
    ),
    "toleration": (
        a_claim("bad", tolerations=[{"operator": "Exists", "value": "x"}]),
        "spec.devices.requests[0].exactly.tolerations[0].value",
        "must be empty for operator `Exists`",
    ),
    "admin": (
        a_claim("bad", adminAccess=True),
        "spec.devices.requests[0].adminAccess",
        "Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_refused(store: Store, case: str) -> None:
    obj, field, text = BAD[case]
    with pytest.raises(Invalid) as refused:
        store.create("resourceclaims", obj)
    assert any(cause["field"] == field and text in cause["message"] for cause in refused.value.causes), (
        refused.value.body
    )


def test_defaults(store: Store) -> None:
    created = store.create("resourceclaims", a_claim("c", tolerations=[{"key": "a"}]))
    exactly = created["spec"]["devices"]["requests"][0]["exactly"]
    assert (exactly["allocationMode"], exactly["count"]) == ("ExactCount", 1)
    assert exactly["tolerations"] == [{"key": "a", "operator": "Equal"}]


def test_nulls_of_a_drivers_parameters_are_kept(store: Store) -> None:
    parameters = {"a": None, "b": [None]}
    created = store.create("resourceclaims", claim(config=[{"opaque": {"driver": "d.io", "parameters": parameters}}]))
    assert created["spec"]["devices"]["config"][0]["opaque"]["parameters"] == parameters


def test_a_claims_spec_cannot_change(store: Store) -> None:
    store.create("resourceclaims", a_claim())
    with pytest.raises(Invalid, match=r"spec: Invalid value: .*: field is immutable"):
        store.modify("resourceclaims", "claim", "default", lambda obj: obj["spec"]["devices"].update(requests=[]))


def test_admin_access_in_a_labelled_namespace(store: Store) -> None:
    labels = {"resource.kubernetes.io/admin-access": "true"}
    store.create("namespaces", {"metadata": {"name": "admin", "labels": labels}})
    created = store.create("resourceclaims", a_claim(adminAccess=True), "admin")
    assert created["spec"]["devices"]["requests"][0]["exactly"]["adminAccess"] is True


def set_status(store: Store, **status: Any) -> Object:
    return store.modify("resourceclaims", "claim", "default", lambda obj: obj.update(status=status), status=True)


def test_reservations_need_an_allocation(store: Store) -> None:
    store.create("resourceclaims", a_claim())
    user = {"resource": "pods", "name": "p", "uid": "1"}
    with pytest.raises(Invalid, match="may not be specified when `allocated` is not set"):
        set_status(store, reservedFor=[user])
    set_status(store, allocation=an_allocation(), reservedFor=[user])
    with pytest.raises(Invalid, match=r"status.reservedFor\[1\]: Duplicate value"):
        set_status(store, allocation=an_allocation(), reservedFor=[user, user])


def test_an_allocation_cannot_change_while_it_is_set(store: Store) -> None:
    store.create("resourceclaims", a_claim())
    set_status(store, allocation=an_allocation("gpu-0"))
    with pytest.raises(Invalid, match=r"status.allocation: .*field cannot be modified once set"):
        set_status(store, allocation=an_allocation("gpu-1"))


def test_an_allocation_that_is_written_otherwise_is_the_same(store: Store) -> None:
    store.create("resourceclaims", a_claim())
    for amount in ("1k", "1E3", "1000"):
        allocation = an_allocation()
        allocation["devices"]["results"][0]["consumedCapacity"] = {"memory": amount}
        set_status(store, allocation=allocation)


def test_drivers_report_only_on_allocated_devices(store: Store) -> None:
    store.create("resourceclaims", a_claim())
    device = {"driver": "gpu.example.com", "pool": "node-a", "device": "gpu-1"}
    with pytest.raises(Invalid, match="must be an allocated device in the claim"):
        set_status(store, allocation=an_allocation("gpu-0"), devices=[device])


def test_templates_are_checked_like_claims(store: Store) -> None:
    spec = a_claim(count=-1)["spec"]
    with pytest.raises(Invalid) as refused:
        store.create("resourceclaimtemplates", {"metadata": {"name": "t"}, "spec": {"spec": spec}})
    assert refused.value.causes[0]["field"] == "spec.spec.devices.requests[0].exactly.count"


def test_classes_need_selectors_that_compile(store: Store) -> None:
    selectors = [{"cel": {"expression": "device.driver =="}}]
    with pytest.raises(Invalid, match=r"spec.selectors\[0\].cel.expression: .*compilation failed"):
        store.create("deviceclasses", {"metadata": {"name": "c"}, "spec": {"selectors": selectors}})
