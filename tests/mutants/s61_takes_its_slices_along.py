"""Deletes its slices when it is told to end, as if it were uninstalled."""

from reference_driver import gpu, plugin

FAULT = "S61"
BREAKS = ("UPG-04",)
CAUGHT_BY = ("upgrade.in_sequence", "upgrade.claims_through_rollout", "upgrade.across_nodes")


class Uninstalling(plugin.Plugin):
    def stop(self) -> None:
        super().stop()
        path = self.client.resource_path("resourceslices")
        selector = f"spec.driver={self.driver.name},spec.nodeName={self.driver.node}"
        for item in self.client.list(path, fieldSelector=selector)["items"]:
            self.client.delete(f"{path}/{item['metadata']['name']}")


def main() -> int:
    return gpu.main(plugin=Uninstalling)


if __name__ == "__main__":
    raise SystemExit(main())
