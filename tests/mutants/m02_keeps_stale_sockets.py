"""Fails to start when a socket file of an earlier, killed instance is in the way."""

from reference_driver import gpu, plugin

FAULT = "M02"
CAUGHT_BY = ("registration.after_kill",)
BREAKS = ("REG-16",)


class Registration(plugin.RegistrationServer):
    def remove_stale(self) -> None:
        if self.path.exists():
            raise OSError(f"{self.path} exists")


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
