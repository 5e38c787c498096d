"""Gives the last of its devices to a claim that has only devices of another driver."""

from reference_driver import gpu, plugin

FAULT = "S24"
CAUGHT_BY = ("preparation.other_driver",)
BREAKS = ("PREP-14",)


class Handler(plugin.ClaimHandler):
    def _read(self, ref: plugin.ClaimRef, deadline: plugin.Deadline, claims: int) -> plugin.Claim | plugin.Answer:
        found = super()._read(ref, deadline, claims)
        if isinstance(found, plugin.Answer) and "has no device of driver" in found.error:
            (pool, devices), *_ = self.driver.pools().items()
            return plugin.Claim(ref, (plugin.AllocatedDevice("device", pool, devices.devices[-1].name),))
        return found


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
