"""Creates a slice again when the answer to the first try is lost, without looking whether that one went through."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S72"
CAUGHT_BY = ("publishing.api_errors",)
BREAKS = ("RS-08",)


class Planner(plugin.Planner):
    """Looks for slices that are there twice at its start only."""

    started = False

    def _sort(self, *arguments: Any) -> tuple[Any, Any, list[Any]]:
        current, obsolete, twins = super()._sort(*arguments)
        twins, self.started = [] if self.started else twins, True
        return current, obsolete, twins


class Slices(plugin.SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.planner = Planner(self._driver, self._node)
        client, create = self._client, self._client.create

        def create_at_last(path: str, obj: dict[str, Any]) -> dict[str, Any]:
            try:
                return create(path, obj)
            except plugin.KubeError as error:
                if error.status:
                    raise
                return create(path, obj)

        client.create = create_at_last  # type: ignore[method-assign]


def main() -> int:
    return gpu.main(parts=plugin.Parts(slices=Slices))


if __name__ == "__main__":
    raise SystemExit(main())
