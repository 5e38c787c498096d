"""Gives a claim that it cannot read the last of its devices."""

from reference_driver import gpu, plugin

FAULT = "S23"
CAUGHT_BY = ("preparation.batch", "preparation.unreadable_claim", "preparation.wrong_claim")
BREAKS = ("PREP-12", "PREP-13")


class Handler(plugin.ClaimHandler):
    def _read(self, ref: plugin.ClaimRef, deadline: plugin.Deadline, claims: int) -> plugin.Claim | plugin.Answer:
        found = super()._read(ref, deadline, claims)
        if isinstance(found, plugin.Answer) and "has no device of driver" not in found.error:
            (pool, devices), *_ = self.driver.pools().items()
            return plugin.Claim(ref, (plugin.AllocatedDevice("device", pool, devices.devices[-1].name),))
        return found


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
