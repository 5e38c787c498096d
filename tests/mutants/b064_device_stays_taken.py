"""A device that was prepared for a claim is refused to all others until the driver is started again."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B064"
BREAKS = ("UNP-10",)
CAUGHT_BY = ("injection.specs_resolve",)
ALSO = {
    "allocation.selected_capacity": "it may get a device that a check before it had",
    "alternatives.chosen": "it may get a device that a check before it had",
    "preparation.in_vain": "it may get a device that a check before it had",
}


class Jealous(plugin.ClaimHandler):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._first: dict[tuple[str, str], str] = {}

    def check_free(self, claim: plugin.Claim) -> None:
        super().check_free(claim)
        for device in claim.devices:
            if device.admin_access or device.share_id:
                continue
            if self._first.setdefault((device.pool, device.device), claim.uid) != claim.uid:
                raise plugin.ClaimError(f"device {device.device} is taken")


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Jealous))


if __name__ == "__main__":
    raise SystemExit(main())
