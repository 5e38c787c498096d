"""Remembers that a claim could not be read for an error of the API server, and does not try again."""

from reference_driver import gpu, plugin

FAULT = "S71"
CAUGHT_BY = ("preparation.api_errors",)
BREAKS = ("PREP-19",)


class Reader(plugin.ClaimReader):
    failed: frozenset[str] = frozenset()

    def read(self, ref: plugin.ClaimRef, timeout: float | None = None) -> plugin.Claim:
        if ref.uid in self.failed:
            raise plugin.ClaimError(f"claim {ref} cannot be read")
        try:
            return super().read(ref, timeout)
        except plugin.ClaimError as error:
            if "cannot be read" in str(error):
                self.failed |= {ref.uid}
            raise


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader))


if __name__ == "__main__":
    raise SystemExit(main())
