"""Refuses a claim that several pods have reserved."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S42"
CAUGHT_BY = ("preparation.shared_claim",)
BREAKS = ("PREP-29",)


class Reader(plugin.ClaimReader):
    def _get(self, ref: plugin.ClaimRef, timeout: float | None) -> dict[str, Any]:
        found = super()._get(ref, timeout)
        users = found.get("status", {}).get("reservedFor") or []
        if len(users) > 1:
            raise plugin.ClaimError(f"claim {ref} is used by {len(users)} pods")
        return found


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader))


if __name__ == "__main__":
    raise SystemExit(main())
