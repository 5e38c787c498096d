"""The reference driver, but it gives away a device that another claim has, and its slices say they are three."""

from typing import Any

from reference_driver.gpu import main
from reference_driver.plugin import Claim, ClaimHandler, Parts, Pool, SliceBuilder, SliceController


class Careless(ClaimHandler):
    def check_free(self, claim: Claim) -> None:
        pass


class Boastful(SliceBuilder):
    def build(self, name: str, pool: Pool) -> list[dict[str, Any]]:
        return [spec | {"pool": spec["pool"] | {"resourceSliceCount": 3}} for spec in super().build(name, pool)]


class BoastfulSlices(SliceController):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.builder = Boastful("gpu.example.com", "node-a")


if __name__ == "__main__":
    raise SystemExit(main(parts=Parts(handler=Careless, slices=BoastfulSlices)))
