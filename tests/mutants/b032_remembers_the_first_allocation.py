"""It reads a claim once and goes by that, although the claim may have been allocated anew."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "B032"
BREAKS = ("PREP-12",)
CAUGHT_BY = ("preparation.allocated_anew",)


class Cached(plugin.ClaimReader):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._known: dict[str, plugin.Claim] = {}

    def read(self, ref: plugin.ClaimRef, timeout: float | None = None) -> plugin.Claim:
        if ref.uid not in self._known:
            self._known[ref.uid] = super().read(ref, timeout)
        return self._known[ref.uid]


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Cached))


if __name__ == "__main__":
    raise SystemExit(main())
