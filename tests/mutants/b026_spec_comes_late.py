"""CDI specs are there only half a second after Prepare was answered."""

import threading
from pathlib import Path
from typing import Any

from tests.mutants.wrapper import Fault, run
from tests.mutants.wrapper.fault import Send

FAULT = "B026"
BREAKS = ("PREP-08",)
CAUGHT_BY = ("injection.specs_resolve",)
WRAPS = ("reference", "kubernetes-test-driver")


class Wrong(Fault):
    def prepare(self, request: Any, send: Send) -> Any:
        before = self._specs()
        answer = send(request)
        new = {path: content for path, content in self._specs().items() if before.get(path) != content}
        for path in new:
            path.unlink()
        threading.Timer(0.5, self._write, (new,)).start()
        return answer

    def _specs(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.place.cdi_dir.glob("*.json")}

    def _write(self, specs: dict[Path, bytes]) -> None:
        for path, content in specs.items():
            path.with_suffix(".tmp").write_bytes(content)
            path.with_suffix(".tmp").rename(path)


def main() -> int:
    return run(Wrong)


if __name__ == "__main__":
    raise SystemExit(main())
