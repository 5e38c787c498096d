"""Returns no devices for a claim, as containers need nothing of them."""

from collections.abc import Sequence
from dataclasses import replace

from reference_driver import gpu, plugin

EXTRA = {"driver": {"injection": "none"}}
NOT_APPLICABLE = (
    "injection.config_applied",
    "injection.container_sees",
    "injection.own_names",
    "injection.whole_specs",
    "metadata.files",
    "preparation.failed_write",
)


class Handler(plugin.ClaimHandler):
    def prepare(self, refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
        return {uid: replace(answer, devices=()) for uid, answer in super().prepare(refs, deadline).items()}


def main() -> int:
    return gpu.main(parts=plugin.Parts(handler=Handler))


if __name__ == "__main__":
    raise SystemExit(main())
