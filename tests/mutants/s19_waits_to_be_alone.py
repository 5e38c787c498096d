"""Prepares nothing while another instance of it is on the node, as during a rolling update."""

from collections.abc import Sequence

from reference_driver import gpu, plugin

FAULT = "S19"
CAUGHT_BY = ("upgrade.claims_through_rollout",)
ALSO = {
    "preparation.other_driver": "the socket of the other driver counts as an instance",
    "restart.pending_claim": "the socket that a killed process left counts as an instance",
}
BREAKS = ("UPG-02",)


class Alone(plugin.Plugin):
    def __init__(self, driver: plugin.Driver, options: plugin.Options, parts: plugin.Parts | None = None) -> None:
        super().__init__(driver, options, parts)
        prepare = self.handler.prepare

        def when_alone(refs: Sequence[plugin.ClaimRef], deadline: plugin.Deadline) -> dict[str, plugin.Answer]:
            if len(list(options.registry_dir.glob("*.sock"))) > 1:
                return {ref.uid: plugin.Answer(error="another instance is being updated") for ref in refs}
            return prepare(refs, deadline)

        self.handler.prepare = when_alone  # type: ignore[method-assign]


def main() -> int:
    return gpu.main(plugin=Alone)


if __name__ == "__main__":
    raise SystemExit(main())
