"""Gives both clusters the problems of a seed, a step of all problems at a time, and compares what comes of it."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

from conformance.cluster.api import Api
from conformance.cluster.wait import seen_within, wait_for
from tests.fidelity.allocation import sides
from tests.fidelity.allocation.answers import answers, waiting
from tests.fidelity.allocation.families import problems
from tests.fidelity.allocation.problem import Action, Draft, Problem
from tests.fidelity.compare import lines

Obj = dict[str, Any]
# Seconds. The real scheduler tries a pod again after 1 s, and after twice as long each further time.
_CALM, _RETRIES, _PATIENCE = 0.3, 1.3, 20.0
_THREADS = 6


@dataclass(frozen=True)
class Difference:
    """A problem that came out differently; after its last step again, with `step` -1."""

    problem: Problem
    step: int
    where: Sequence[str]

    def __str__(self) -> str:
        done = self.problem.steps[self.step] if self.step < len(self.problem.steps) else ()
        last = ", ".join(f"{action.verb} {action.resource} {action.name}" for action in done)
        head = f"problem {self.problem.name} ({self.problem.kind}), step {self.step}: {last}"
        return "\n".join([head, *(f"  {row}" for row in self.where)])


@dataclass(frozen=True)
class Outcome:
    """How it went; `kinds` counts the problems of each family."""

    seed: int
    asked: int
    differences: Sequence[Difference]
    kinds: Counter[str]
    seconds: float

    def __str__(self) -> str:
        same = self.asked - len(self.differences)
        return f"allocations: {same} of {self.asked} problems same, seed {self.seed}, {self.seconds:.1f} s"


def solve(ours: Api, theirs: Api, seed: int, count: int, only: Sequence[str] = ()) -> Outcome:
    """Both sides' answers to the first `count` problems of a seed (those named in `only`)."""
    given = [problem for problem in problems(seed, count) if not only or problem.name in only]
    started = time.monotonic()
    with ThreadPoolExecutor(_THREADS) as pool:
        run = _Run(ours, theirs, given, pool)
        try:
            run.work()
        finally:
            for api in (ours, theirs):
                sides.clean(api, [problem.name for problem in given] + [_FENCE])
    kinds = Counter(problem.kind for problem in given)
    return Outcome(seed, len(given), run.differences, kinds, time.monotonic() - started)


class _Run:
    def __init__(self, ours: Api, theirs: Api, given: Sequence[Problem], pool: ThreadPoolExecutor) -> None:
        self._sides = (ours, theirs)
        self._pool = pool
        self._left = {problem.name: problem for problem in given}
        self.differences: list[Difference] = []

    def work(self) -> None:
        """All steps of all problems."""
        problems_ = list(self._left.values())
        # Nodes first: how many there are is part of what a pod that waits is told.
        self._do(0, {p.name: [a for a in p.before if a.resource in sides.FIRST] for p in problems_})
        self._do(0, {p.name: [a for a in p.before if a.resource not in sides.FIRST] for p in problems_})
        self._fence()
        for step in range(max(len(problem.steps) for problem in problems_)):
            state = answers(self._sides[0], self._left)
            taken = [problem for problem in self._left.values() if _takes(problem, step, state[problem.name])]
            self._do(step, {problem.name: problem.steps[step] for problem in taken})
            self._compare(step, _CALM)
        self._compare(-1, _RETRIES)

    def _do(self, step: int, jobs: Mapping[str, Sequence[Action]]) -> None:
        """The actions of each problem in their order, on both sides; what is refused has to be so on both."""
        pairs = [(api, job) for job in jobs.values() for api in self._sides]
        said = list(self._pool.map(lambda pair: [sides.act(pair[0], action) for action in pair[1]], pairs))
        for name, ours, theirs in zip(jobs, said[::2], said[1::2], strict=True):
            refused = [f"ours {our!r}, theirs {their!r}" for our, their in zip(ours, theirs, strict=True)]
            different = [row for row, our, their in zip(refused, ours, theirs, strict=True) if bool(our) != bool(their)]
            if different:
                self.differences.append(Difference(self._left.pop(name), step, different))

    def _fence(self) -> None:
        """What was made so far has been seen: a pod is placed that needs what comes last of each kind."""
        draft = Draft(_FENCE, "fence", Random(0))
        draft.node("a")
        draft.slice("s", [{"name": "d"}])
        draft.device_class("gpu")
        claim = draft.claim("c", draft.exactly())
        self._left[_FENCE] = draft.problem
        self._do(0, {_FENCE: [*draft.problem.before, draft.pod("p", claim)]})
        for api in self._sides:
            wait_for(lambda api=api: api.get("pods", "p", _FENCE)["spec"].get("nodeName"), "a pod", timeout=30)  # type: ignore[misc]
        del self._left[_FENCE]

    def _versions(self) -> list[str]:
        return [sides.version(api) for api in self._sides]

    def _compare(self, step: int, quiet: float) -> None:
        """Compare when nothing moves any more; where that is different, once more whenever something has moved."""
        until = time.monotonic() + _PATIENCE
        while True:
            versions = [sides.calm(api, quiet) for api in self._sides]
            ours, theirs = (answers(api, self._left) for api in self._sides)
            left = until - time.monotonic()
            if ours == theirs or not seen_within(lambda v=versions: self._versions() != v, max(left, 0)):  # type: ignore[misc]
                break
        for name in [name for name in self._left if ours[name] != theirs[name]]:
            self.differences.append(Difference(self._left.pop(name), step, lines(ours[name], theirs[name])))


_FENCE = "fence"


def _takes(problem: Problem, step: int, answer: Obj) -> bool:
    return step < len(problem.steps) and not (step in problem.rivals and waiting(answer) > 1)
