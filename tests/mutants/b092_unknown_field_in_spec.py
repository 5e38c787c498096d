"""CDI specs have a field that CDI does not know."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B092"
BREAKS = ("CDI-02",)
CAUGHT_BY = ("injection.specs_resolve",)


class Chatty(plugin.CdiFolder):
    def spec(self, *arguments: Any) -> dict[str, Any] | None:
        spec = super().spec(*arguments)
        return spec and {**spec, "comment": "made by the GPU driver"}


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Chatty))


if __name__ == "__main__":
    raise SystemExit(main())
