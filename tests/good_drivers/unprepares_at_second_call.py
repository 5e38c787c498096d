"""Says at the first Unprepare of a prepared claim that the device is still busy, and frees it at the second."""

from reference_driver import gpu, plugin


class Handler(plugin.ClaimHandler):
    busy: frozenset[str] = frozenset()

    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        if self.checkpoint.get(ref.uid) and ref.uid not in self.busy:
            self.busy |= {ref.uid}
            return plugin.Answer(error=f"the devices of claim {ref} are still busy")
        return super()._unprepare(ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
