"""Knows only the claims that were made since it started: it watches them without having listed them first."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S20"
CAUGHT_BY = ("restart.killed_midway", "restart.pending_claim", "restart.prepared_at_once")
BREAKS = ("PREP-12", "PREP-07")


class Reader(plugin.ClaimReader):
    def __init__(self, client: Any, driver: str) -> None:
        super().__init__(client, driver)
        self.older = {
            claim["metadata"]["uid"] for claim in client.list(client.resource_path("resourceclaims"))["items"]
        }


class Handler(plugin.ClaimHandler):
    def check_free(self, claim: plugin.Claim) -> None:
        if claim.uid in self.reader.older:  # type: ignore[attr-defined]
            raise plugin.ClaimError(f"claim {claim.ref} is not known")
        super().check_free(claim)


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader, handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
