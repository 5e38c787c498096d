"""One command of kubectl, given to the embedded cluster and to a real control plane at the same time."""

import difflib
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_TIMEOUT = 60.0
# What is never the same twice: identities, times and ages, versions, places, made-up names.
_VARYING = (
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uid>"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z| \+0000)?", "<time>"),
    (r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000", "<time>"),
    (r"(\"?[rR]esource ?[vV]ersion\"?: *)\"?\d+\"?", r"\1<version>"),
    (r"127\.0\.0\.1:\d+", "<server>"),
    (r"/\S*(LIVE|MERGED|kubectl-edit)-\d+", r"/tmp/\1"),
    (r"\b(\d+d)?(\d+h)?(\d+m)?\d+[smh]\b", "<age>"),
    (r"-[bcdfghjklmnpqrstvwxz2456789]{5}\b", "-<random>"),
    (r" +", " "),
)
_FIELD = re.compile(r"^ *[\w$]+\t<.*>.*$", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """Exit status and output, without what is never the same twice."""

    code: int
    out: str
    err: str

    def only(self, keep: Callable[[str], str]) -> "Result":
        """With what a function keeps of the output."""
        return Result(self.code, keep(self.out), keep(self.err))


@dataclass(frozen=True)
class Kubectl:
    """kubectl with one cluster."""

    program: Path
    kubeconfig: Path

    def argv(self, command: str) -> Sequence[str]:
        """The command line."""
        return [str(self.program), f"--kubeconfig={self.kubeconfig}", *shlex.split(command)]

    @property
    def environment(self) -> Mapping[str, str]:
        """Its cache is beside its kubeconfig, and so is what it leaves of an edit that was refused."""
        return {**os.environ, "HOME": str(self.kubeconfig.parent), "TMPDIR": str(self.kubeconfig.parent)}

    def run(self, command: str, stdin: str = "", **env: str) -> Result:
        """The result of one command."""
        done = subprocess.run(
            self.argv(command),
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT,
            env={**self.environment, **env},
        )
        return Result(done.returncode, normal(done.stdout), normal(done.stderr))


@dataclass(frozen=True)
class Pair:
    """Both clusters."""

    ours: Kubectl
    theirs: Kubectl

    def run(self, command: str, stdin: str = "", **env: str) -> tuple[Result, Result]:
        """Our result, and theirs."""
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(side.run, command, stdin, **env) for side in (self.ours, self.theirs)]
            return asked[0].result(), asked[1].result()

    def same(self, command: str, stdin: str = "", *, view: Callable[[str], str] = str, **env: str) -> Result:
        """The result, which has to be the same with both, at least in what `view` keeps of the output."""
        ours, theirs = (result.only(view) for result in self.run(command, stdin, **env))
        assert ours == theirs, f"kubectl {command}\n{difference(ours, theirs)}"
        return ours


def difference(ours: Result, theirs: Result) -> str:
    """Where two results differ."""
    was, now = (f"{result.out}{result.err}exit status {result.code}".splitlines() for result in (theirs, ours))
    return "\n".join(difflib.unified_diff(was, now, "real", "embedded", lineterm="", n=1))


def normal(text: str) -> str:
    """A text without what is never the same twice."""
    for pattern, name in _VARYING:
        text = re.sub(pattern, name, text)
    return text


def fields_only(text: str) -> str:
    """Of `kubectl explain`: names and types of fields, as ours have no descriptions."""
    return "\n".join(line.strip() for line in _FIELD.findall(text))
