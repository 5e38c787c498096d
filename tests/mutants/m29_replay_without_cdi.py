"""Answers a repeated Prepare from its checkpoint, without looking whether the CDI spec is still there."""

from reference_driver import gpu, plugin

FAULT = "M29"
CAUGHT_BY = ("restart.reboot",)
ALSO = {
    "restart.killed_midway": "a kill may fall between the CDI spec and the checkpoint",
}
BREAKS = ("PREP-08",)


class Handler(plugin.ClaimHandler):
    def make_real(self, record: plugin.ClaimRecord) -> None:
        pass


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
