"""What must outlive the process: GPUs that were there, so that one that does not answer stays listed, and XIDs."""

import json
from collections.abc import Sequence
from pathlib import Path

from reference_driver.plugin import log
from reference_driver.plugin.files import write_atomic

from . import ailments
from .ailments import Xid
from .facts import GpuFacts

NAME = "nvml.json"
_VERSION = 1


class Remembered:
    """The file of a node. Losing it costs nothing but the knowledge of what was ill: GPUs are asked anew."""

    def __init__(self, folder: Path, boot_id: str) -> None:
        self._file = folder / NAME
        self._boot_id = boot_id
        self._written = ""

    def load(self) -> tuple[tuple[GpuFacts, ...], tuple[Xid, ...]]:
        """GPUs, and XIDs of this boot; a file that cannot be read is none."""
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            gpus = tuple(map(GpuFacts.from_json, kept["gpus"]))
            xids = tuple(map(ailments.from_json, kept["xids"]))
        except FileNotFoundError:
            return (), ()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            log.warning("remembered GPUs cannot be read", file=str(self._file), error=repr(error))
            return (), ()
        return gpus, xids if kept.get("bootID") == self._boot_id else ()

    def save(self, gpus: Sequence[GpuFacts], xids: Sequence[Xid]) -> None:
        """Keep them, where they are not what is kept already."""
        kept = {"version": _VERSION, "bootID": self._boot_id, "gpus": [gpu.to_json() for gpu in gpus]}
        text = json.dumps({**kept, "xids": [ailments.to_json(xid) for xid in xids]})
        if text == self._written:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(self._file, text.encode())
            self._written = text
        except OSError as error:
            log.warning("GPUs not remembered", file=str(self._file), error=str(error))
