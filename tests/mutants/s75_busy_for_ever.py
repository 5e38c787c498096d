"""Takes a claim whose Prepare was cut off for one that is being prepared still, and refuses it."""

from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S75"
CAUGHT_BY = ("restart.kubelet_midway",)
ALSO = {"preparation.overlapping_calls": "one of the calls may be cut off"}
BREAKS = ("PREP-18",)


class Handler(plugin.ClaimHandler):
    busy: frozenset[str] = frozenset()

    def prepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        uids = {ref.uid for ref in refs}
        if uids & self.busy:
            return {uid: plugin.Answer(error=f"claim {uid} is being prepared") for uid in uids}
        self.busy |= uids
        answers = super().prepare(refs, deadline)
        self.busy -= uids
        return answers


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
