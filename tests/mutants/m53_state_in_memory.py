"""Keeps its state in memory only, so that after a restart it no longer knows what it has prepared."""

from reference_driver import gpu, plugin

FAULT = "M53"
CAUGHT_BY = ("restart.recovers",)
BREAKS = ("UNP-05",)


class Memory(plugin.Checkpoint):
    def reload(self) -> None:
        pass

    def save(self, record: plugin.ClaimRecord) -> None:
        self._forget(record.uid)
        self._remember(record)

    def delete(self, uid: str) -> None:
        self._forget(uid)


class Handler(plugin.ClaimHandler):
    def _unprepare(self, ref: plugin.ClaimRef) -> plugin.Answer:
        return super()._unprepare(ref) if self.checkpoint.get(ref.uid) else plugin.Answer()


def forget(handler: plugin.ClaimHandler) -> None:
    """Do nothing with what an earlier instance left."""


def main() -> int:
    return gpu.main(parts=plugin.Parts(checkpoint=Memory, handler=Handler, restore=forget))


if __name__ == "__main__":
    raise SystemExit(main())
