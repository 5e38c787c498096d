"""Every CDI spec is there twice, under two file names."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin.files import write_atomic

FAULT = "B094"
BREAKS = ("CDI-04",)
CAUGHT_BY = ("injection.specs_resolve",)


class Doubled(plugin.CdiFolder):
    def write(self, uid: str, spec: dict[str, Any]) -> None:
        super().write(uid, spec)
        write_atomic(self._copy(uid), self.path(uid).read_bytes())

    def remove(self, uid: str) -> None:
        self._copy(uid).unlink(missing_ok=True)
        super().remove(uid)

    def leftovers(self, known: Iterable[str]) -> Iterator[Path]:
        known = list(known)
        copies = {self._copy(uid) for uid in known}
        yield from (path for path in super().leftovers(known) if path not in copies)

    def _copy(self, uid: str) -> Path:
        return self.path(uid).with_suffix(".copy.json")


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Doubled))


if __name__ == "__main__":
    raise SystemExit(main())
