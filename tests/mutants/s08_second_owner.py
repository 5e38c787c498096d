"""Gives its slices a second owner beside the Node, so that they outlive it."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S08"
CAUGHT_BY = ("restart.node_lost",)
BREAKS = ("RS-04",)


class Planner(plugin.Planner):
    second: dict[str, Any]

    def _new(self, index: int, spec: dict[str, Any], owner: Any) -> dict[str, Any]:
        item = super()._new(index, spec, owner)
        item["metadata"]["ownerReferences"].append(self.second)
        return item


class Slices(plugin.SliceController):
    def __init__(self, client: Any, driver: str, *arguments: Any) -> None:
        super().__init__(client, driver, *arguments)
        found = client.get(client.resource_path("deviceclasses", driver))
        self.planner = Planner(driver, arguments[0])
        kind = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass"}
        self.planner.second = {**kind, "name": driver, "uid": found["metadata"]["uid"]}


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
