"""Fails the first call for each claim, as its cache of claims lags behind, and does better when asked again."""

from reference_driver import gpu, plugin

WARNED = ("preparation.one_claim",)  # PREP-34: Prepare never fails in normal operation


class Reader(plugin.ClaimReader):
    asked: frozenset[str] = frozenset()

    def read(self, ref: plugin.ClaimRef, timeout: float | None = None) -> plugin.Claim:
        if ref.uid not in self.asked:
            self.asked |= {ref.uid}
            raise plugin.ClaimError(f"claim {ref} is not in the cache yet")
        return super().read(ref, timeout)


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader))


if __name__ == "__main__":
    raise SystemExit(main())
