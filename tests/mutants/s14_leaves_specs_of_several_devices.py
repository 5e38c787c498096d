"""Leaves the CDI spec of a claim in place that has more than one device."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S14"
CAUGHT_BY = ("restart.leftovers", "unpreparing.nothing_left")
BREAKS = ("UNP-07", "CDI-09")


class Cdi(plugin.CdiFolder):
    def remove(self, uid: str) -> None:
        path = self.path(uid)
        if not path.exists() or path.read_text(encoding="utf-8").count('"name"') < 2:
            super().remove(uid)

    def leftovers(self, known: Iterable[str]) -> Iterator[Path]:
        return iter(())


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
