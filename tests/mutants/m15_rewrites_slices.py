"""Writes all its slices anew with a new generation every second, although nothing changed."""

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from reference_driver import gpu, plugin

FAULT = "M15"
CAUGHT_BY = ("publishing.quiet",)
BREAKS = ("RS-11",)


class Planner(plugin.Planner):
    def plan(
        self, wanted: Sequence[dict[str, Any]], existing: Sequence[dict[str, Any]], owner: Mapping[str, Any]
    ) -> plugin.Plan:
        plan = super().plan(wanted, existing, owner)
        if plan:
            return plan
        for item in existing:
            pool = item["spec"]["pool"]
            plan.update.append(item | {"spec": item["spec"] | {"pool": pool | {"generation": pool["generation"] + 1}}})
        return plan


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = Planner(arguments[1], arguments[2])
        self.ended = threading.Event()
        threading.Thread(target=self.again, daemon=True).start()

    def again(self) -> None:
        while not self.ended.wait(1):
            self._touch()

    def stop(self) -> None:
        self.ended.set()
        super().stop()


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
