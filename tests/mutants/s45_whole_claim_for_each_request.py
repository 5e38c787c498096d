"""Gives a container all devices of a claim, whichever request it names."""

from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S45"
CAUGHT_BY = ("preparation.own_request",)
ALSO = {
    "injection.config_scope": "the container gets what the other request is configured to",
    "alternatives.config": "the container gets what the other request is configured to",
}
BREAKS = ("PREP-21",)


class Driver(gpu.GpuDriver):
    def prepare(self, claim: plugin.Claim) -> plugin.Preparation:
        preparation = super().prepare(claim)
        env: Sequence[str] = [variable for edits in preparation.edits for variable in edits.env]
        return plugin.Preparation([plugin.ContainerEdits(env) for _ in claim.devices], preparation.common)


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
