"""Asks both sides the cases of a seed and tells how many answers were the same."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.fidelity.accepted import accepted
from tests.fidelity.compare import Answer, Compared, difference, lines
from tests.fidelity.registry import Numbered, cases
from tests.fidelity.sides import ApiServers

EVERYDAY = Compared(managed=True)


@dataclass(frozen=True)
class Finding:
    """One case whose answers differ."""

    of: Numbered
    step: int
    where: Sequence[str]
    ours: Answer
    theirs: Answer

    def __str__(self) -> str:
        request = self.of.case.steps[self.step]
        rows = [
            f"case {self.of.number} ({self.of.family}): {self.of.case.about}",
            f"  request {self.step}: {request}",
            *(f"  {row}" for row in self.where),
        ]
        rows += [f"  {who}: {_short(answer)}" for who, answer in (("ours", self.ours), ("theirs", self.theirs))]
        return "\n".join(rows)


def _short(answer: Answer) -> str:
    body = answer.body
    if isinstance(body, dict) and body.get("kind") == "Status":
        return f"{answer.code} {body.get('reason', '')}: {body.get('message', '')}"[:1200]
    return f"{answer.code} {body.get('kind', '') if isinstance(body, dict) else body}"


@dataclass(frozen=True)
class Score:
    """How it went. `known`: differences that accepted.py lists, by reason."""

    seed: int
    asked: int
    findings: Sequence[Finding]
    known: Counter[str]
    families: Counter[str]

    def __str__(self) -> str:
        same = self.asked - len(self.findings) - self.known.total()
        text = f"requests: {same} of {self.asked} same, seed {self.seed}"
        return text + "".join(f"; {count} known: {reason}" for reason, count in self.known.items())


def ask(servers: ApiServers, seed: int, count: int, only: Sequence[str] = (), compared: Compared = EVERYDAY) -> Score:
    """Ask the first `count` cases of a seed, of some families only where they are named."""
    return compare(servers, seed, cases(seed, count, only), compared)


def compare(servers: ApiServers, seed: int, rows: Sequence[Numbered], compared: Compared) -> Score:
    """Ask both sides and compare."""
    ours, theirs = servers.run([row.case for row in rows])
    findings, known = [], Counter[str]()
    for row, our, their in zip(rows, ours, theirs, strict=True):
        found = difference(our, their, compared, row.case.prefixes)
        if found is None:
            continue
        step, a, b = found
        finding = Finding(row, step, lines(a, b), our[step], their[step])
        reason = accepted(str(finding))
        if reason:
            known[reason.reason] += 1
        else:
            findings.append(finding)
    return Score(seed, len(rows), findings, known, Counter(row.family for row in rows))


def transcript(row: Numbered, ours: Sequence[Answer], theirs: Sequence[Answer]) -> str:
    """All that was said in one case."""
    parts = [f"case {row.number} ({row.family}): {row.case.about}"]
    for request, our, their in zip(row.case.steps, ours, theirs, strict=True):
        parts += [str(request), _json(request.body), f"ours: {our.code} {_json(our.body)}"]
        parts.append(f"theirs: {their.code} {_json(their.body)}")
    return "\n".join(parts)


def _json(value: object) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)
