"""Leaves CDI specs in place at its start whose claims it does not know."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S58"
BREAKS = ("CDI-09",)
CAUGHT_BY = ("restart.leftovers",)


class Cdi(plugin.CdiFolder):
    def leftovers(self, known: Iterable[str]) -> Iterator[Path]:
        return iter(())


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
