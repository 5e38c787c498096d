"""Writes CDI specs beside the CDI folder: the separator between folder and file name is missing."""

from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "M31"
CAUGHT_BY = ("injection.specs_resolve",)
BREAKS = ("PREP-08",)


class Cdi(plugin.CdiFolder):
    def path(self, uid: str) -> Path:
        inside = super().path(uid)
        return Path(f"{inside.parent}{inside.name}")


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
