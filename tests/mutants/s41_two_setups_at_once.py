"""Has no lock: of two calls for a claim that overlap, each sets the claim up, with a CDI spec of its own."""

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin

FAULT = "S41"
CAUGHT_BY = ("preparation.overlapping_calls",)
ALSO = {"preparation.given_up": "its calls overlap with the one that was given up"}
BREAKS = ("PREP-18",)
WORK = 0.02  # seconds that the hardware takes


class Lock(plugin.StateLock):
    @contextmanager
    def hold(self, deadline: plugin.Deadline, reload: Callable[[], None]) -> Iterator[None]:
        self._reload_if_stale(reload)
        yield


class Cdi(plugin.CdiFolder):
    """A spec's name has a random part; which one is a claim's is known to who wrote it, and else looked up."""

    def __init__(self, folder: Path, kind: str) -> None:
        super().__init__(folder, kind)
        self._names: dict[str, Path] = {}

    def path(self, uid: str) -> Path:
        found = sorted(self._folder.glob(f"{self._prefix}{uid}-*.json"))
        return self._names.get(uid) or (found or [super().path(uid)])[0]

    def write(self, uid: str, spec: dict[str, Any]) -> None:
        self._names[uid] = self._folder / f"{self._prefix}{uid}-{secrets.token_hex(4)}.json"
        super().write(uid, spec)

    def remove(self, uid: str) -> None:
        super().remove(uid)
        self._names.pop(uid, None)


class Driver(gpu.GpuDriver):
    def apply(self, record: plugin.ClaimRecord) -> None:
        threading.Event().wait(WORK)
        super().apply(record)


def main() -> int:
    return gpu.main(driver=Driver, parts=plugin.Parts(lock=Lock, cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
