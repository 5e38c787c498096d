from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from conformance.cluster.wait import wait_for
from tests.embedded_scheduler.control_plane import ControlPlane, control_plane
from tests.embedded_scheduler.objects import DRIVER, Obj

SICK = {"key": "gpu.example.com/sick", "effect": "NoExecute"}


@pytest.fixture
def plane() -> Iterator[ControlPlane]:
    with control_plane() as plane:
        plane.device_class()
        plane.publish("a")
        yield plane


def using(plane: ControlPlane, **request: object) -> None:
    plane.claim("c", **request)
    plane.pod("p", claim="c", terminationGracePeriodSeconds=0)
    plane.bound("p")


def ago(seconds: float) -> str:
    return (datetime.now(UTC) - timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def tolerating(seconds: int | None) -> list[Obj]:
    limit = {} if seconds is None else {"tolerationSeconds": seconds}
    return [{"key": "gpu.example.com/sick", "operator": "Exists", "effect": "NoExecute", **limit}]


def test_a_taint_evicts_the_pod(plane: ControlPlane) -> None:
    using(plane)
    plane.publish("a", generation=2, taints=[SICK])
    assert plane.gone("pods", "p")
    plane.becomes("c", allocated=False, holders=0)
    assert plane.events("DeviceTaintManagerEviction") == ["Marking for deletion"]


def test_a_rule_evicts_the_pod(plane: ControlPlane) -> None:
    using(plane)
    rule = {"metadata": {"name": "r"}, "spec": {"deviceSelector": {"driver": DRIVER, "device": "a"}, "taint": SICK}}
    plane.store.create("devicetaintrules", rule)
    assert plane.gone("pods", "p")


def test_a_pod_that_tolerates_the_taint_stays(plane: ControlPlane) -> None:
    using(plane, tolerations=tolerating(None))
    plane.publish("a", generation=2, taints=[SICK])
    plane.pod("marker")
    plane.bound("marker")
    assert plane.store.exists("pods", "p", "default")


def test_a_pod_that_tolerates_it_for_a_time_goes_after_that(plane: ControlPlane) -> None:
    using(plane, tolerations=tolerating(60))
    plane.publish("a", generation=2, taints=[{**SICK, "timeAdded": ago(59.5)}])
    assert plane.gone("pods", "p")


def test_a_taint_that_goes_away_in_time_is_forgotten(plane: ControlPlane) -> None:
    using(plane, tolerations=tolerating(60))
    plane.publish("a", generation=2, taints=[SICK])
    # With that, the taint has been seen.
    rule(plane, "NoSchedule", driver="other.example.com")
    ruled(plane, "OtherEffect")
    plane.publish("a", generation=3)
    plane.told("DeviceTaintManagerEviction", "Cancelling deletion")
    assert plane.store.exists("pods", "p", "default")


def rule(plane: ControlPlane, effect: str, **selector: str) -> None:
    spec = {"deviceSelector": selector, "taint": {**SICK, "effect": effect}}
    plane.store.create("devicetaintrules", {"metadata": {"name": "r"}, "spec": spec})


def ruled(plane: ControlPlane, reason: str) -> Obj:
    """The rule's condition, once it has this reason."""

    def there() -> Obj | None:
        conditions = plane.store.get("devicetaintrules", "r").get("status", {}).get("conditions") or [{}]
        return conditions[0] if conditions[0].get("reason") == reason else None

    return wait_for(there, f"the rule to be {reason}", timeout=3)


def test_a_rule_without_effect_says_what_it_would_do(plane: ControlPlane) -> None:
    using(plane)
    rule(plane, "None", driver=DRIVER)
    condition = ruled(plane, "NoEffect")
    assert condition["message"].startswith(
        "1 published device selected. 1 allocated device selected. 1 pod would be evicted in 1 namespace if"
    )
    assert (condition["type"], condition["status"], condition["observedGeneration"]) == (
        "EvictionInProgress",
        "False",
        1,
    )


def test_a_rule_says_which_pods_it_waits_for(plane: ControlPlane) -> None:
    using(plane, tolerations=tolerating(60))
    rule(plane, "NoExecute", driver=DRIVER, device="a")
    assert ruled(plane, "PodsPendingEviction")["message"] == "1 pod needs to be evicted in 1 namespace."


def test_a_rule_that_selects_nothing_evicts_nobody(plane: ControlPlane) -> None:
    using(plane)
    rule(plane, "NoExecute", driver=DRIVER, pool="other")
    assert ruled(plane, "NotStarted")["status"] == "False"
    assert plane.store.exists("pods", "p", "default")


def test_a_rule_evicts_although_the_device_is_not_published_any_more(plane: ControlPlane) -> None:
    using(plane)
    plane.store.delete("resourceslices", "node-a")
    rule(plane, "NoExecute", driver=DRIVER)
    assert plane.gone("pods", "p")


@pytest.mark.parametrize(
    ("added", "tolerated"),
    [("2024-01-01T00:00:00Z", 2**63 - 1), ("9999-12-31T23:59:59Z", 100), ("9999-12-31T23:59:59Z", 0)],
)
def test_a_time_beyond_all_others_does_not_come(plane: ControlPlane, added: str, tolerated: int) -> None:
    using(plane, tolerations=tolerating(tolerated))
    plane.publish("a", generation=2, taints=[{**SICK, "timeAdded": added}])
    plane.template("t")
    plane.pod("marker", template="t")
    wait_for(lambda: plane.get("pods", "marker").get("status", {}).get("resourceClaimStatuses"), "a claim", timeout=10)
    assert plane.store.exists("pods", "p", "default")
