"""Looks at the claim's request instead of its allocation, and cannot read a selector on a capacity."""

from reference_driver import gpu, plugin

FAULT = "S21"
CAUGHT_BY = ("allocation.selected_capacity",)
BREAKS = ("PREP-10",)


class Reader(plugin.ClaimReader):
    def read(self, ref: plugin.ClaimRef, timeout: float | None = None) -> plugin.Claim:
        claim = super().read(ref, timeout)
        if "device.capacity" in str(self._get(ref, timeout)["spec"]):
            raise plugin.ClaimError(f"claim {ref} asks for something else than an attribute")
        return claim


def main() -> int:
    return gpu.main(parts=plugin.Parts(reader=Reader))


if __name__ == "__main__":
    raise SystemExit(main())
