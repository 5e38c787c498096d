"""Mutants on real nodes: the reference driver's image with the mutants in it, and its manifests, that start one.

Only changes of the reference driver can be tried so: a wrapper stands between a driver and a kubelet of ours.
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from conformance.catalogue import all_checks
from conformance.session.options import ON_DEMAND
from conformance.verdict import Verdict
from tests.kept import OPTION
from tests.mutants.kills import complaints, covering
from tests.mutants.mutant import Mutant
from tests.variants import ROOT, Judged, judge

IMAGE = "dra-conformance/mutants:0.1.0"
BASE_IMAGE = "dra-conformance/reference-driver:0.1.0"
_MANIFESTS = ROOT / "reference_driver" / "deploy" / "manifests"
_REFUSED = {
    "B078": "the admission policy of the driver's manifests lets it delete none but its own slices",
    "B079": "the admission policy of the driver's manifests lets it delete slices of its own node alone",
    "B106": "the API server lets a driver report none but its own devices",
}
"""Wrong drivers whose fault a real cluster does not let come about."""
_ARGUMENTS = ["--pod-uid=$(POD_UID)", "--http-address=:8080"]


def able(mutants: Sequence[Mutant]) -> list[Mutant]:
    """Those that can be tried on real nodes."""
    ours = [mutant for mutant in mutants if mutant.base == "reference" and mutant.name not in _REFUSED]
    return [mutant for mutant in ours if not _needs_the_machine(mutant)]


def judge_on_kind(mutant: Mutant, folder: Path) -> tuple[dict[str, Judged], list[str]]:
    """Run a mutant's checks on a cluster that is kept; what was said of it, and what is not as its module says.

    Only those that catch it, and what they need: that no other does is shown on the embedded cluster, in less time.
    """
    asked = [f"--check={id}" for id in covering(mutant)]
    file = write_driver_file(mutant, folder)
    found = judge(file, folder / "report", "--cluster=kind", OPTION, *asked)
    # Which of its obligations is found broken first may differ: a real kubelet asks at other moments. And a node of
    # kind cannot be given another boot id: one check of several may be unable to judge there.
    able_to_judge = tuple(id for id in mutant.caught_by if found[id].verdict is not Verdict.INCONCLUSIVE)
    judged = {id: row for id, row in found.items() if id not in mutant.caught_by or id in able_to_judge}
    return found, complaints(replace(mutant, breaks=(), caught_by=able_to_judge or mutant.caught_by), judged)


def write_driver_file(mutant: Mutant, folder: Path) -> Path:
    """The mutant's driver file, with what installs it beside the file."""
    path = mutant.write_driver_file(folder)
    file = yaml.safe_load(path.read_text(encoding="utf-8"))
    _write_image(folder / "image")
    _write_manifests(folder / "manifests", mutant.module)
    file["install"] = {
        "build": [
            ["{python}", "-m", "reference_driver.deploy.image", BASE_IMAGE],
            ["docker", "build", "--quiet", f"--tag={IMAGE}", "{file_dir}/image"],
        ],
        "images": [IMAGE],
        "manifests": ["manifests"],
    }
    if arguments := mutant.extra.get("nextVersionArguments"):
        file["install"]["nextVersion"] = {"args": [*_ARGUMENTS, *arguments]}
    file["limits"] = {"ready": 30}  # seconds; a pod takes longer to start than a process
    path.write_text(yaml.safe_dump(file), encoding="utf-8")
    return path


def _needs_the_machine(mutant: Mutant) -> bool:
    """Whether its driver file says something of its process, or another name than its manifests, or checks find it that
    are not for here.

    Those are checks that judge at the end, which takes a whole run, and those on demand, which need faults of the API.
    """
    sections = set(mutant.extra) - {"nextVersionArguments", "driver", "claim", "container"}
    checks = [all_checks()[id].check for id in mutant.caught_by]
    renamed = "name" in mutant.extra.get("driver", {})
    return (
        mutant.wraps or renamed or bool(sections) or any(check.at_end or check.profile in ON_DEMAND for check in checks)
    )


def _write_image(context: Path) -> None:
    shutil.copytree(
        ROOT / "tests" / "mutants", context / "tests" / "mutants", ignore=shutil.ignore_patterns("__pycache__")
    )
    context.joinpath("tests", "__init__.py").touch()
    context.joinpath("Dockerfile").write_text(f"FROM {BASE_IMAGE}\nCOPY tests /app/tests\n", encoding="utf-8")


def _write_manifests(folder: Path, module: str) -> None:
    shutil.copytree(_MANIFESTS, folder)
    for path in folder.glob("*.yaml"):
        objects = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
        for obj in objects:
            _replace_program(obj, module)
        path.write_text(yaml.safe_dump_all(objects), encoding="utf-8")


def _replace_program(obj: dict[str, Any], module: str) -> None:
    if obj["kind"] != "DaemonSet":
        return
    (container,) = obj["spec"]["template"]["spec"]["containers"]
    container["image"] = IMAGE
    container["command"] = ["python3", "-m", module]
