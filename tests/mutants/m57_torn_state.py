"""Writes its state in place, and refuses a claim with half of a file, as SIGKILL leaves it."""

import time
from pathlib import Path

from reference_driver import gpu, plugin
from reference_driver.plugin import checkpoint

FAULT = "M57"
CAUGHT_BY = ("restart.killed_midway", "restart.killed_often")
BREAKS = ("PREP-07",)
DISK = 0.1  # seconds that the disk takes for half of a record


class InPlace(plugin.Checkpoint):
    def save(self, record: plugin.ClaimRecord) -> None:
        text = checkpoint._encode(record)
        with open(self._path(record.uid), "wb", buffering=0) as file:
            file.write(text[: len(text) // 2])
            time.sleep(DISK)
            file.write(text[len(text) // 2 :])
        self._forget(record.uid)
        self._remember(record)

    def _read(self, path: Path) -> plugin.ClaimRecord | None:
        try:
            return checkpoint._decode(path.read_bytes())
        except (FileNotFoundError, ValueError):
            return None


class Handler(plugin.ClaimHandler):
    def check_free(self, claim: plugin.Claim) -> None:
        if self.checkpoint._path(claim.uid).exists():
            raise plugin.ClaimError(f"the state of claim {claim.ref} cannot be read")
        super().check_free(claim)

    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        answer = super()._unprepare(ref)
        self.checkpoint._path(ref.uid).unlink(missing_ok=True)
        return answer


def main() -> int:
    return gpu.main(parts=plugin.Parts(checkpoint=InPlace, handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
