"""Uses the same socket names in every instance, so that a new one takes those of the old."""

import dataclasses

from reference_driver import gpu, plugin

FAULT = "M07"
CAUGHT_BY = ("upgrade.sockets_per_instance",)
BREAKS = ("UPG-01",)


class OnePlugin(plugin.Plugin):
    def __init__(self, driver: plugin.Driver, options: plugin.Options, parts: plugin.Parts | None = None) -> None:
        super().__init__(driver, dataclasses.replace(options, pod_uid=""), parts)


def main() -> int:
    return gpu.main(plugin=OnePlugin)


if __name__ == "__main__":
    raise SystemExit(main())
