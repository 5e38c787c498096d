"""Does not look whether a device is prepared for another claim."""

from reference_driver import gpu, plugin

FAULT = "S27"
CAUGHT_BY = ("preparation.device_in_use",)
BREAKS = ("PREP-16",)


class Handler(plugin.ClaimHandler):
    def check_free(self, claim: plugin.Claim) -> None:
        pass


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
