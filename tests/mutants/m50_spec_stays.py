"""Leaves the CDI spec of a claim in place after Unprepare."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "M50"
CAUGHT_BY = ("unpreparing.cleans_up",)
BREAKS = ("UNP-07",)


class Cdi(plugin.CdiFolder):
    def remove(self, uid: str) -> None:
        pass

    def leftovers(self, known: Iterable[str]) -> Iterator[Path]:
        return iter(())


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
