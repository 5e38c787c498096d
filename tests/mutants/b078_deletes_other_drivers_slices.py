"""At its start it deletes the slices that other drivers have on its node."""

from reference_driver import gpu, plugin

FAULT = "B078"
BREAKS = ("RS-15",)
CAUGHT_BY = ("publishing.started_again",)


class Domineering(plugin.SliceController):
    def start(self) -> None:
        path = self._client.resource_path("resourceslices")
        for item in self._client.list(path, fieldSelector=f"spec.nodeName={self._node}")["items"]:
            if item["spec"]["driver"] != self._driver:
                self._client.delete(f"{path}/{item['metadata']['name']}")
        super().start()


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Domineering))


if __name__ == "__main__":
    raise SystemExit(main())
