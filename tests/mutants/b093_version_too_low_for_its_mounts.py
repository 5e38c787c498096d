"""CDI specs state version 0.2.0, which is too low for any spec."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B093"
BREAKS = ("CDI-02",)
CAUGHT_BY = ("injection.specs_resolve",)


class Ancient(plugin.CdiFolder):
    def spec(self, *arguments: Any) -> dict[str, Any] | None:
        spec = super().spec(*arguments)
        return spec and {**spec, "cdiVersion": "0.2.0"}


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Ancient))


if __name__ == "__main__":
    raise SystemExit(main())
