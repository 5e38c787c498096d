"""Creates a slice again when the answer to the first try is lost, without looking whether that one went through."""

from typing import Any

from reference_driver import gpu, plugin

FAULT = "S72"
CAUGHT_BY = ("publishing.api_errors",)


class Planner(plugin.Planner):
    """Takes all slices there are for those that are wanted."""

    def plan(self, wanted: Any, existing: Any, owner: Any) -> plugin.Plan:
        plan = super().plan(wanted, existing, owner)
        return plugin.Plan() if existing and wanted else plan


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
