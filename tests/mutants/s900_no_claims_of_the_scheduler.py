"""Refuses claims that the scheduler makes for extended resources, as no user wrote them."""

from reference_driver import gpu, plugin

FAULT = "S900"
CAUGHT_BY = ("extended.resource",)
BREAKS = ("PREP-10",)


class Handler(plugin.ClaimHandler):
    def _prepare(self, claim: plugin.Claim) -> plugin.Answer:
        if "-extended-resources-" in claim.ref.name:
            return plugin.Answer(error=f"claim {claim.ref} was made by nobody")
        return super()._prepare(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
