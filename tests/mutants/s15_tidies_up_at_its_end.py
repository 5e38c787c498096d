"""Removes the CDI specs of all claims when it is told to end, also of those whose pods run on."""

from reference_driver import gpu, plugin

FAULT = "S15"
CAUGHT_BY = (
    "upgrade.across_nodes",
    "upgrade.claims_through_rollout",
    "upgrade.failed",
    "upgrade.in_sequence",
)
BREAKS = ("UPG-04",)


class Tidy(plugin.Plugin):
    def stop(self) -> None:
        super().stop()
        for record in self.handler.checkpoint.records():
            self.handler.cdi.remove(record.uid)


def main() -> int:
    return gpu.main(plugin=Tidy)


if __name__ == "__main__":
    raise SystemExit(main())
