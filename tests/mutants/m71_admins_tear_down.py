"""Tears the preparation of a device's user down when an administrator's access to it ends."""

from reference_driver import gpu, plugin

FAULT = "M71"
CAUGHT_BY = ("admin.beside_owner",)
BREAKS = ("PREP-26",)


class Handler(plugin.ClaimHandler):
    def discard(self, record: plugin.ClaimRecord) -> None:
        for device in record.devices:
            for other in list(self.checkpoint.holders(device.key)) if device.admin_access else ():
                self.cdi.remove(other.uid)
        super().discard(record)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
