"""Unprepares whatever claim has the name that is asked for, an older or a newer one."""

from reference_driver import gpu, plugin

FAULT = "S13"
CAUGHT_BY = ("unpreparing.device_free",)
ALSO = {
    "preparation.same_name": "two claims have the same name there",
}
BREAKS = ("UNP-11",)


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        for record in self.checkpoint.records():
            if (record.ref.namespace, record.ref.name) == (ref.namespace, ref.name):
                self.discard(record)
        return super()._unprepare(ref)


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
