"""Started again, it no longer knows which CDI specs it wrote, and Unprepare leaves them."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B058"
BREAKS = ("UNP-05",)
CAUGHT_BY = ("restart.recovers",)


class Forgetful(plugin.CdiFolder):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._mine: set[str] = set()

    def write(self, uid: str, spec: dict[str, Any]) -> None:
        super().write(uid, spec)
        self._mine.add(uid)

    def remove(self, uid: str) -> None:
        if uid in self._mine:
            super().remove(uid)


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Forgetful))


if __name__ == "__main__":
    raise SystemExit(main())
