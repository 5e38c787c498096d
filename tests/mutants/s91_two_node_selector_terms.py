"""Publishes devices that select their nodes themselves, in two terms."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S91"
CAUGHT_BY = ("partitions.node_selector",)
ALSO = {
    "publishing.pool_complete": "the slices name no node, and the devices are of one",
}
BREAKS = ("RS-34",)
BASE = "reference-extras"


class Builder(plugin.SliceBuilder):
    def build(self, name: str, pool: plugin.Pool) -> list[dict[str, Any]]:
        specs = super().build(name, pool)
        for spec in specs if name.endswith("-nics") else ():
            node = spec.pop("nodeName")
            spec["perDeviceNodeSelection"] = True
            field = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
            spec["devices"] = [row | {"nodeSelector": {"nodeSelectorTerms": [field, field]}} for row in spec["devices"]]
        return specs


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.builder = Builder(arguments[1], arguments[2])
        self._selector = {"fieldSelector": f"spec.driver={arguments[1]}"}


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
