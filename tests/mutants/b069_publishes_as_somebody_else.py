"""Its slices name another driver."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B069"
BREAKS = ("RS-02",)
CAUGHT_BY = ("publishing.pool_complete",)


class Disguised(plugin.SliceController):
    def __init__(self, client: plugin.KubeClient, driver: str, *rest: Any) -> None:
        super().__init__(client, f"other.{driver}", *rest)


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Disguised))


if __name__ == "__main__":
    raise SystemExit(main())
