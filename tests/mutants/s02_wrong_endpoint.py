"""Announces an endpoint on which nobody listens."""

from pathlib import Path

from reference_driver import gpu, plugin

FAULT = "S02"
CAUGHT_BY = ("registration.advertised_services",)
ALSO = {
    "health.reports": "no health stream can be opened there",
    "health.cancelled": "no health stream can be opened there",
    "publishing.republish": "the kubelet that was started again cannot connect to it",
}
BREAKS = ("REG-11",)


class Registration(plugin.RegistrationServer):
    def __init__(self, path: Path, driver: str, endpoint: Path, versions: list[str]) -> None:
        super().__init__(path, driver, endpoint.with_name("nobody.sock"), versions)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration))


if __name__ == "__main__":
    raise SystemExit(main())
