"""Answers Unprepare of a claim that it never prepared with an error."""

from reference_driver import gpu, plugin

FAULT = "M47"
CAUGHT_BY = ("unpreparing.unknown_claim",)
BREAKS = ("UNP-03",)


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        if not self.checkpoint.get(ref.uid):
            return plugin.Answer(error=f"claim {ref} is not prepared")
        return super()._unprepare(ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
