"""States the newest CDI version in each spec, which older runtimes refuse to read."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S26"
CAUGHT_BY = ("injection.whole_specs",)
BREAKS = ("CDI-08",)


class Cdi(plugin.CdiFolder):
    def spec(self, *arguments: Any) -> dict[str, Any] | None:
        spec = super().spec(*arguments)
        return spec and spec | {"cdiVersion": "1.1.0"}


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
