"""At its start it deletes the slices that it has on other nodes."""

from reference_driver import gpu, plugin

FAULT = "B079"
BREAKS = ("RS-15",)
CAUGHT_BY = ("publishing.per_node",)


class Domineering(plugin.SliceController):
    def start(self) -> None:
        path = self._client.resource_path("resourceslices")
        for item in self._client.list(path, fieldSelector=f"spec.driver={self._driver}")["items"]:
            if item["spec"].get("nodeName") != self._node:
                self._client.delete(f"{path}/{item['metadata']['name']}")
        super().start()


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Domineering))


if __name__ == "__main__":
    raise SystemExit(main())
