"""CDI specs are in a subfolder of the CDI folder."""

from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "B091"
BREAKS = ("CDI-01",)
CAUGHT_BY = ("injection.specs_resolve",)


class Deeper(plugin.CdiFolder):
    def __init__(self, folder: Path, kind: str) -> None:
        super().__init__(folder / "gpu", kind)


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Deeper))


if __name__ == "__main__":
    raise SystemExit(main())
