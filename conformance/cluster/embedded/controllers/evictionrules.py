"""The status of DeviceTaintRules: the condition EvictionInProgress.

Source: maybeUpdateRuleStatus of pkg/controller/devicetainteviction/device_taint_eviction.go.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver.objects import timestamp
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.controllers.evictiontimes import Evictions
from conformance.cluster.embedded.scheduler.model import Json

_PERIOD = 10.0
"""Seconds between two changes of a status that are not due to a change of the rule."""
_ONCE = "if the effect was NoExecute. This information will not be updated again. Recreate the DeviceTaintRule to trigger an update."  # noqa: E501
_TYPE = "EvictionInProgress"


class RuleStatuses:
    """Writes the conditions, and counts what was evicted since this controller has started."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._evicted: Counter[str] = Counter()

    def evicted(self, rules: Iterable[str]) -> None:
        """One pod was evicted because of rules with these UIDs."""
        self._evicted.update(rules)

    def update(self, rules: Iterable[Json], evictions: Evictions) -> list[float]:
        """Write what is due; the seconds until more is."""
        waits = []
        for rule in rules:
            wait = self._update(rule, evictions)
            if wait is not None:
                waits.append(wait)
        return waits

    def _update(self, rule: Json, evictions: Evictions) -> float | None:
        rows = (rule.get("status") or {}).get("conditions") or ()
        old = next((row for row in rows if row["type"] == _TYPE), None)
        changed = old is None or old.get("observedGeneration") != rule["metadata"].get("generation")
        if not changed and rule["spec"]["taint"]["effect"] != "NoExecute":
            return None
        new = self._condition(rule, evictions)
        if old and all(old.get(key) == value for key, value in new.items()):
            return None
        if old and not changed:
            since = datetime.now(UTC) - datetime.fromisoformat(old["lastTransitionTime"].replace("Z", "+00:00"))
            if since.total_seconds() < _PERIOD:
                return _PERIOD - since.total_seconds()
        self._write(rule, new)
        return None

    def _write(self, rule: Json, condition: dict[str, Any]) -> None:
        def change(obj: dict[str, Any]) -> None:
            rows = obj.setdefault("status", {}).setdefault("conditions", [])
            rows[:] = [row for row in rows if row["type"] != _TYPE]
            rows.append({**condition, "lastTransitionTime": timestamp()})

        try:
            self._store.modify("devicetaintrules", rule["metadata"]["name"], None, change, status=True)
        except ApiError:
            # The rule is gone.
            return

    def _condition(self, rule: Json, evictions: Evictions) -> dict[str, Any]:
        status, reason, message = self._said(rule, evictions)
        evicted = self._evicted[rule["metadata"]["uid"]]
        if evicted:
            message = f"{message} " if message else ""
            message += f"{_count(evicted, 'pod')} evicted since starting the controller."
        return {
            "type": _TYPE,
            "status": status,
            "reason": reason,
            "message": message,
            "observedGeneration": rule["metadata"].get("generation", 0),
        }

    def _said(self, rule: Json, evictions: Evictions) -> tuple[str, str, str]:
        match rule["spec"]["taint"]["effect"]:
            case "None":
                return "False", "NoEffect", _simulated(rule, evictions)
            case "NoExecute":
                pods = evictions.pending(rule)
                if pods:
                    need = "pod needs" if len(pods) == 1 else "pods need"
                    return "True", "PodsPendingEviction", f"{len(pods)} {need} to be evicted in {_namespaces(pods)}."
                done = self._evicted[rule["metadata"]["uid"]]
                return "False", "Completed" if done else "NotStarted", ""
            case _:
                return "False", "OtherEffect", "Eviction only happens for the NoExecute effect."


def _simulated(rule: Json, evictions: Evictions) -> str:
    published, allocated = evictions.selected(rule)
    pods = evictions.simulating(rule).pending(rule)
    return (
        f"{_count(published, 'published device')} selected. {_count(allocated, 'allocated device')} selected. "
        f"{_count(len(pods), 'pod')} would be evicted in {_namespaces(pods)} {_ONCE}"
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _namespaces(pods: Iterable[Json]) -> str:
    number = len({pod["metadata"]["namespace"] for pod in pods})
    return "1 namespace" if number == 1 else f"{number} different namespaces"
