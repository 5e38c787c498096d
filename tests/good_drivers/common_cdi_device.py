"""Returns, beside the CDI id of each device, one that all claims have in common, and two devices for a claim."""

from pathlib import Path
from typing import Any

from reference_driver import gpu, plugin

REQUEST = {"name": "gpus", "exactly": {"deviceClassName": "gpu.example.com", "count": 2}}
EXTRA = {"claim": {"spec": {"devices": {"requests": [REQUEST]}}, "perNode": 4}}
NOT_APPLICABLE = (
    "allocation.selected_capacity",
    "allocation.selected_device",
    "injection.config_applied",
    "preparation.bad_beside_good",
    "preparation.invalid_config",
)


class Cdi(plugin.CdiFolder):
    def __init__(self, folder: Path, kind: str) -> None:
        super().__init__(folder, kind)
        common = plugin.CdiFolder(folder, f"{kind}-common")
        spec = common.spec([plugin.CdiDevice("all", plugin.ContainerEdits(["GPUS=some"]))], plugin.ContainerEdits())
        assert spec
        common.write("common", spec)


class Servicer(plugin.DraServicer):
    def prepared(self, answer: plugin.Answer) -> Any:
        entry = super().prepared(answer)
        for device in entry.devices:
            device.cdi_device_ids.insert(0, f"{self._handler.cdi.kind}-common=all")
        return entry


class Service(plugin.DraServer):
    def make_servicer(self, handler: plugin.ClaimHandler, messages: Any) -> plugin.DraServicer:
        return Servicer(handler, messages)


def main() -> int:
    return gpu.main(parts=plugin.Parts(cdi=Cdi, service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
