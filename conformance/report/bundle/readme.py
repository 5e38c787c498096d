"""README.md of a bundle: what came out, on what, and how to see it again."""

from collections.abc import Iterator, Sequence

from conformance.kep5970 import PROFILE
from conformance.report.bundle.rows import behaviour_rows
from conformance.report.bundle.versions import versions_of
from conformance.report.model import Outcome, Report
from conformance.report.obligations import headline
from conformance.report.text import visible
from conformance.verdict import Verdict

_MARKS = {
    Outcome.CONFORMANT: "All checks of the suite that apply were run, and no MUST is broken.",
    Outcome.SELECTION: "PARTIAL: a part of the checks was run. This is no statement of conformance.",
    Outcome.NOT_CONFORMANT: "FAILING: a MUST is broken.",
    Outcome.WAIVED: "FAILING: a MUST is broken, and waived. This is no statement of conformance.",
    Outcome.INCONCLUSIVE: "PARTIAL: some checks could not judge. This is no statement of conformance.",
    Outcome.INCOMPLETE: "PARTIAL: not all selected checks were run. This is no statement of conformance.",
}
_CUT = "PARTIAL: the run was cut short or failed. This is no statement of conformance."
_FILES = {
    "PRODUCT.yaml": "metadata and checklist; what stands in brackets is for you to fill in",
    "report.json": "the report, from which all else is made",
    "junit.xml": "the same for CI systems",
    "index.html": "the same for people",
    "history.jsonl": "each call, change of an object and judgement of the run, in order",
    "run.log": "what was judged, when",
    "versions.json": "versions of suite, driver, Kubernetes, kernel, runtime, Python and its packages",
    "evidence/": "objects, events and calls of single checks",
    "logs/": "logs of the driver and of the cluster",
    "SHA256SUMS": "of all files here but PRODUCT.yaml, which you fill in",
}


def readme(report: Report, root: str, files: Sequence[str]) -> str:
    """The file. root: of the archive; files: those of the run that are in it."""
    return "\n".join(
        [*_head(report), *_behaviours(report), *_versions(report), *_again(report, root), *_there(files), ""]
    )


def _head(report: Report) -> Iterator[str]:
    yield f"# {report.driver.name} on Kubernetes {report.cluster.get('kubernetes') or 'of unknown version'}"
    yield ""
    yield f"**{_MARKS.get(report.outcome, _CUT)}**"
    yield ""
    yield from _block(headline(report))
    if report.driver.mocks:
        yield "The driver's hardware is made up:"
        yield ""
        yield from _block(report.driver.mocks)
    yield "This is the result of a test, and no certificate of the CNCF or of anybody else."
    yield ""


def _behaviours(report: Report) -> Iterator[str]:
    rows = list(behaviour_rows(report))
    if not rows:
        return
    yield "## The seven behaviours of KEP-5970"
    yield ""
    yield "| | status | seen by |"
    yield "|---|---|---|"
    for row in rows:
        seen = ", ".join(f"`{link.partition('#')[2]}`" for link in row.evidence)
        yield f"| {row.description} | {row.status or 'not judged'} | {seen} |"
    yield ""


def _versions(report: Report) -> Iterator[str]:
    known = versions_of(report)
    yield "## What was run"
    yield ""
    yield from _block(
        f"suite       dra-conformance {known['suite']['version']}, commit {known['suite']['commit']}",
        f"driver      {known['driver']['name']} {known['driver']['version']}",
        *(f"image       {image} {digest}" for image, digest in known["driver"]["images"].items()),
        *(f"{name:11} {known[name]}" for name in ("kubernetes", "cluster", "kernel", "runtime", "python")),
    )


def _again(report: Report, root: str) -> Iterator[str]:
    yield "## How to see it again"
    yield ""
    yield f"That the verdicts follow from the history, and that nothing was changed (in the folder `{root}`):"
    yield ""
    yield from _block("sha256sum --check SHA256SUMS", "dra-conformance verify .", "dra-conformance analyze .")
    yield "The run, with the same suite, on the same kind of cluster:"
    yield ""
    yield from _block(command(report))
    failing = [r for r in report.checks if r.verdict in (Verdict.FAIL, Verdict.WARN) and r.reproduce]
    if failing:
        yield "What was found, check by check:"
        yield ""
        yield from _block(*(result.reproduce for result in failing))


def command(report: Report) -> str:
    """The command of the whole run: that of one of its checks, without the choice of it."""
    known = next((result.reproduce for result in report.checks if result.reproduce), "dra-conformance run")
    words = [word for word in known.split(" ") if not word.startswith("--check=")]
    asked = [f"--check={id}" for id in report.settings.get("checks") or ()]
    profile = [f"--conformance-profile={PROFILE}"] if PROFILE in report.profiles else []
    return " ".join([*words, *profile, *asked])


def _there(files: Sequence[str]) -> Iterator[str]:
    yield "## What is here"
    yield ""
    yield "| | |"
    yield "|---|---|"
    made = ("README.md", "PRODUCT.yaml", "run.log", "versions.json", "SHA256SUMS")
    for name, meaning in _FILES.items():
        if name in (*files, *made) or any(file.startswith(name) for file in files):
            yield f"| `{name}` | {meaning} |"


def _block(*lines: str) -> Iterator[str]:
    """Text as it is: nothing in it is markdown."""
    for line in lines:
        yield from (f"    {part}" for part in visible(line).splitlines() or [""])
    yield ""
