"""Leaves out what it does not know in a configuration, where somebody may have mistyped it."""

from dataclasses import replace

from reference_driver import gpu, plugin

FAULT = "M39"
CAUGHT_BY = ("preparation.invalid_config",)
BREAKS = ("PREP-24",)
KNOWN = ("apiVersion", "kind", "sharing")


class Driver(gpu.GpuDriver):
    def prepare(self, claim: plugin.Claim) -> plugin.Preparation:
        return super().prepare(replace(claim, configs=tuple(map(only_known, claim.configs))))


def only_known(config: plugin.Config) -> plugin.Config:
    return replace(config, parameters={name: value for name, value in config.parameters.items() if name in KNOWN})


def main() -> int:
    return gpu.main(driver=Driver)


if __name__ == "__main__":
    raise SystemExit(main())
