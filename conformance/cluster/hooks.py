"""Hooks of the driver file: commands that do to a driver's hardware what only its author knows how to do."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from pydantic.alias_generators import to_camel

import conformance
from conformance.cluster.local.process import launcher, scrubbed
from conformance.history import History
from conformance.redact import redact_text
from conformance.target import Target
from conformance.verdict import Inconclusive, NotRun

_LONGEST = 300  # characters of what a command printed that are repeated


def run_hook(
    target: Target, name: str, values: Mapping[str, str], history: History, *, node: str, device: str, pool: str
) -> None:
    """Run a hook and wait for its end, at most as long as limits.hook says.

    name: as in the driver file's model, such as `remove_device`; values: of the placeholders that depend on the node;
    device, pool: which device it is meant for. Raises NotRun where there is no such hook, Inconclusive when it fails.
    """
    line = target.hook_line(name, {**values, "device": device, "pool": pool})
    if line is None:
        raise NotRun(f"the driver file has no hook {to_camel(name)}")
    history.record("disturb", action=f"hook {to_camel(name)}", node=node, phase="start", argv=list(line.argv))
    try:
        _run(f"hook {to_camel(name)}", line.argv, line.cwd, target.file.limits.hook)
    finally:
        history.record("disturb", action=f"hook {to_camel(name)}", node=node, phase="end")


def _run(what: str, argv: tuple[str, ...], cwd: Path, limit: float) -> None:
    env = {"PYTHONPATH": str(Path(conformance.__file__).parents[1])} if argv[0] == sys.executable else {}
    try:
        child = subprocess.Popen(
            [*launcher(), *argv],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=scrubbed(env),
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as error:
        raise Inconclusive(f"{what} cannot be started: {error}") from None
    with child:
        try:
            printed = child.communicate(timeout=limit)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            raise Inconclusive(
                f"{what} took longer than {limit:g} s, which is limits.hook of the driver file"
            ) from None
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    if child.returncode != 0:
        said = " ".join(redact_text(printed).split())[-_LONGEST:]
        raise Inconclusive(f"{what} ended with status {child.returncode}: {said or 'it printed nothing'}")
