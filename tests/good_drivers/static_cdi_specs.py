"""Describes all devices in one CDI spec that is written at the start, and writes nothing for a claim."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin
from reference_driver.plugin import handler

EXTRA = {"container": {"env": {"GPU_DEVICE_\\d+": "{device}"}}, "claim": {"perNode": 8}}
NOT_APPLICABLE = (
    "injection.config_applied",
    "metadata.files",
    "preparation.bad_beside_good",
    "preparation.failed_write",
    "preparation.invalid_config",
    "restart.leftovers",
    "unpreparing.cleaning_fails",
)


class Cdi(plugin.CdiFolder):
    """The one spec; a claim's own is not written, checked or removed."""

    def __init__(self, folder: Path, kind: str) -> None:
        super().__init__(folder, kind)
        edits = [plugin.ContainerEdits([f"GPU_DEVICE_{n}=gpu-{n}"]) for n in range(8)]
        spec = self.spec([plugin.CdiDevice(f"gpu-{n}", edit) for n, edit in enumerate(edits)], plugin.ContainerEdits())
        assert spec
        super().write("all", spec)

    def write(self, uid: str, spec: dict[str, Any]) -> None:
        pass

    def ensure(self, uid: str, spec: dict[str, Any]) -> bool:
        return False

    def remove(self, uid: str) -> None:
        pass

    def leftovers(self, known: Iterable[str]) -> Iterator[Path]:
        return iter(())


def main() -> int:
    handler.cdi_name = lambda claim, device: device.device
    return gpu.main(parts=plugin.Parts(cdi=Cdi))


if __name__ == "__main__":
    raise SystemExit(main())
