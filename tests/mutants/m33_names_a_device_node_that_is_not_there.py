"""CDI specs name a device node that the host does not have."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "M33"
CAUGHT_BY = ("injection.specs_resolve",)
BREAKS = ("PREP-09",)


class Cdi(plugin.CdiFolder):
    def write(self, uid: str, spec: dict[str, Any]) -> None:
        for device in spec["devices"]:
            device["containerEdits"]["deviceNodes"] = [{"path": f"/dev/no-such-{device['name']}"}]
        super().write(uid, spec)


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
