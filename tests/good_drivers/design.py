"""Right drivers of other designs as drivers under test."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from conformance.catalogue import all_checks
from conformance.target import Target
from conformance.verdict import Verdict
from tests import variants
from tests.variants import Judged


@dataclass(frozen=True)
class Design:
    """One right driver: its module, whose docstring says what is special, and the verdicts other than PASS."""

    name: str
    module: ModuleType

    def write_driver_file(self, folder: Path) -> Path:
        """The driver file of its base, with the module in the driver's place."""
        extra = getattr(self.module, "EXTRA", {})
        return variants.write_driver_file(folder, self.module.__name__, extra, base=self._base)

    @property
    def _base(self) -> str:
        return str(getattr(self.module, "BASE", "reference"))

    def complaints(self, driver_file: Path, judged: Mapping[str, Judged]) -> list[str]:
        """Each check that did not say what it should of a right driver, none when all did.

        That is PASS. WARNED and NOT_APPLICABLE of the module name the exceptions; what the headers of checks say is not
        for this driver need not be named.
        """
        warned, spared = set(getattr(self.module, "WARNED", ())), set(getattr(self.module, "NOT_APPLICABLE", ()))
        excused = _excused(Target.load(str(driver_file)), spared)
        said = []
        for id, row in judged.items():
            expected = Verdict.WARN if id in warned else Verdict.NOT_APPLICABLE if id in spared else Verdict.PASS
            if row.verdict is not expected and not (id in excused and row.verdict is Verdict.NOT_APPLICABLE):
                said.append(
                    f"{id} is {row.verdict} and not {expected}: {row.message} {sorted(row.broken) or ''}".strip()
                )
        return said + [f"there is no check {id}" for id in sorted((warned | spared) - set(all_checks()))]


def _excused(target: Target, spared: Collection[str]) -> set[str]:
    """Checks that need a feature that is not claimed, more claims at once than there can be, or another such check.

    Besides those that look at what few drivers have: pools of several slices, and manifests in the driver file.
    """
    checks = [entry.check for entry in all_checks().values()]
    excused = {*spared, "publishing.generation"}
    if not target.file.install:
        excused |= {check.id for check in checks if check.area == "security"}
    while True:
        more = {
            check.id
            for check in checks
            if set(check.features) - set(target.driver.features)
            or check.claims > target.claims_per_node
            or excused & set(check.needs)
        }
        if more <= excused:
            return excused
        excused |= more


def all_designs() -> list[Design]:
    """Every right driver of this folder, by name."""
    return [Design(module.__name__.rpartition(".")[2], module) for module in variants.modules("tests.good_drivers")]
