"""Prepares claims, and can undo none of them."""

from reference_driver import gpu, plugin


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        return plugin.Answer(error=f"claim {ref} is busy")


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
