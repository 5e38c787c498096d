"""Programs on PATH that answer as a test wants them to, and remember how they were called."""

import shlex
from pathlib import Path

import pytest


class FakePrograms:
    """A folder that is all of PATH but for the usual tools. A call that no rule is for ends with status 99."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._rules: dict[str, list[str]] = {}
        self._log = folder / "calls"
        self._log.touch()
        monkeypatch.setenv("PATH", f"{folder}:/usr/sbin:/usr/bin:/sbin:/bin")

    def on(self, call: str, *, prints: str = "", complains: str = "", status: int = 0, script: str = "") -> None:
        """What a call does whose words match the shell pattern `call`; the rule that was given last comes first."""
        program, _, words = call.partition(" ")
        pattern = "*".join(shlex.quote(part) if part else "" for part in words.split("*")) or "''"
        says = f"printf %s {shlex.quote(prints)}\nprintf %s {shlex.quote(complains)} >&2"
        self._rules.setdefault(program, []).insert(0, f"{pattern})\n{script}\n{says}\nexit {status} ;;")
        self._write(program)

    @property
    def calls(self) -> list[str]:
        """Every call so far, words joined by blanks."""
        return self._log.read_text(encoding="utf-8").splitlines()

    def _write(self, program: str) -> None:
        rules = "\n".join(self._rules[program])
        text = f"""#!/bin/bash
echo "{program} $*" >>{shlex.quote(str(self._log))}
case "$*" in
{rules}
esac
echo "a call that is not expected: {program} $*" >&2
exit 99
"""
        path = self.folder / program
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
