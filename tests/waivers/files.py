"""Files of waivers, and runs of a small suite with them."""

from pathlib import Path
from typing import Any

import yaml

from tests.session.project import Project

FAR, PAST = "2999-12-31", "2020-01-31"
SUITE = """
@check(id="registration.registers", covers=["REG-01"])
def test_registers(expect, driver):
    "It registers."
    expect("REG-01").equal("", "", "a socket appears")

@check(id="preparation.repeat", covers=["PREP-05"])
def test_repeat(expect, driver):
    "It can be repeated."
    expect("PREP-05").equal("busy", "", "a repeated Prepare succeeds")

@check(id="preparation.after_repeat", covers=["PREP-02"], needs=["preparation.repeat"])
def test_after_repeat(expect, driver):
    "It needs one that is broken."
    expect("PREP-02").true(True, "it holds")

@check(id="publishing.quiet", covers=["RS-01", "RS-11"])
def test_quiet(expect, driver):
    "A SHOULD is broken."
    expect("RS-01").true(True, "it holds")
    expect("RS-11").equal(3, 1, "it is quiet")
"""
"""A MUST is broken, one check waits for it in vain, and a SHOULD is broken."""
MENDED = SUITE.replace('equal("busy"', 'equal(""')
REPEAT = {
    "check": "preparation.repeat",
    "requirement": "PREP-05",
    "expected": "a repeated Prepare succeeds",
    "owner": "gpu-team",
    "reason": "The firmware forgets.",
    "issue": "https://example.com/17",
    "expires": FAR,
}
QUIET = {**REPEAT, "check": "publishing.quiet", "requirement": "RS-11", "expected": "it is quiet", "owner": "api-team"}


def write(folder: Path, *findings: dict[str, Any], name: str = "waivers.yaml") -> Path:
    """A file of waivers."""
    path = folder / name
    path.write_text(yaml.safe_dump({"findings": list(findings)}, sort_keys=False))
    return path


def run(
    folder: Path,
    *findings: dict[str, Any],
    text: str = "",
    suite: str = SUITE,
    status: int = 0,
    options: tuple[str, ...] = (),
) -> Project:
    """Run the suite with these waivers, or with a file of this text; returns the project, whose report is the run's."""
    folder.mkdir(exist_ok=True)
    project = Project(folder)
    project.suite(suite)
    driver = folder / "fake.yaml"
    driver.write_text(f"{driver.read_text()}limits: {{ready: 0.2}}\n")
    file = write(folder, *findings)
    file.write_text(text or file.read_text())
    ended = project.run("--waivers=waivers.yaml", *options)
    assert ended.returncode == status, ended.stdout + ended.stderr
    (folder / "said").write_text(ended.stdout + ended.stderr)
    return project
