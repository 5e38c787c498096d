"""Gives its slices a new generation at each start, and leaves them alone afterwards."""

from collections.abc import Mapping, Sequence
from typing import Any

from reference_driver import gpu, plugin


class Planner(plugin.Planner):
    started = True

    def plan(
        self, wanted: Sequence[dict[str, Any]], existing: Sequence[dict[str, Any]], owner: Mapping[str, Any]
    ) -> plugin.Plan:
        plan = super().plan(wanted, existing, owner)
        if self.started and not plan:
            for item in existing:
                pool = item["spec"]["pool"]
                newer = pool | {"generation": pool["generation"] + 1}
                plan.update.append(item | {"spec": item["spec"] | {"pool": newer}})
        self.started = False
        return plan


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = Planner(arguments[1], arguments[2])


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
