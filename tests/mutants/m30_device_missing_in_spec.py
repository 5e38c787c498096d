"""Answers Prepare with CDI ids whose device is not in the spec that it writes."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "M30"
CAUGHT_BY = ("injection.specs_resolve",)
BREAKS = ("PREP-08",)


class Cdi(plugin.CdiFolder):
    def write(self, uid: str, spec: dict[str, Any]) -> None:
        devices = [device | {"name": device["name"] + "-x"} for device in spec["devices"]]
        super().write(uid, spec | {"devices": devices})


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
