"""Before it listens it removes all registration sockets, whoever they belong to."""

from reference_driver import gpu, plugin

FAULT = "B012"
BREAKS = ("UPG-01",)
CAUGHT_BY = ("upgrade.sockets_per_instance",)


class Rude(plugin.RegistrationServer):
    def remove_stale(self) -> None:
        for path in self.path.parent.glob("*.sock"):
            path.unlink(missing_ok=True)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Rude))


if __name__ == "__main__":
    raise SystemExit(main())
