"""Plays scenes on both control planes at the same time, and tells how their pictures differ."""

import difflib
import json
import traceback
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from conformance.cluster.api import Api
from tests.fidelity.scenes import ALONE, TOGETHER, Scenario
from tests.fidelity.scenes.picture import Picture
from tests.fidelity.scenes.scene import Scene
from tests.fidelity.sides import Clusters

AT_ONCE = 40

Pictures = Mapping[str, Picture]


def play(clusters: Clusters, word: str = "") -> tuple[Pictures, Pictures]:
    """What all scenes with the word in their names come to: ours, theirs.

    Those that differ are played once more: Kubernetes leaves some things to chance, and a defect is there again.
    """
    ours, theirs = _both(clusters, lambda name: word in name)
    apart = differences(ours, theirs)
    if apart:
        again = _both(clusters, lambda name: name in apart, "-again")
        ours, theirs = {**ours, **again[0]}, {**theirs, **again[1]}
    return ours, theirs


def _both(clusters: Clusters, wanted: Callable[[str], bool], suffix: str = "") -> tuple[Pictures, Pictures]:
    with ThreadPoolExecutor(2) as pool:
        ours, theirs = pool.map(lambda api: _on(api, wanted, suffix), [clusters.ours.api, clusters.theirs.api])
    return ours, theirs


def _on(api: Api, wanted: Callable[[str], bool], suffix: str) -> Pictures:
    def one(name: str, scenario: Scenario) -> Picture:
        try:
            return scenario(Scene(api, f"{name.replace('_', '-')}{suffix}"))
        except Exception:
            return {"failed": traceback.format_exc().splitlines()}

    together = _played(one, {name: scene for name, scene in TOGETHER.items() if wanted(name)}, AT_ONCE)
    return {**together, **_played(one, {name: scene for name, scene in ALONE.items() if wanted(name)}, 1)}


def _played(one: Callable[[str, Scenario], Picture], scenes: Mapping[str, Scenario], at_once: int) -> Pictures:
    with ThreadPoolExecutor(at_once) as pool:
        return dict(zip(scenes, pool.map(one, scenes, scenes.values()), strict=True))


def differences(ours: Pictures, theirs: Pictures) -> Mapping[str, str]:
    """How scenes differ, by name; one that fails on both sides counts, too."""
    found = {name: _difference(ours[name], theirs[name]) for name in theirs}
    return {name: text for name, text in found.items() if text}


def _difference(ours: Picture, theirs: Picture) -> str:
    if ours == theirs:
        return "\n".join(theirs["failed"]) if "failed" in theirs else ""
    right, found = (json.dumps(picture, indent=1, sort_keys=True).splitlines() for picture in (theirs, ours))
    return "\n".join(difflib.unified_diff(right, found, "Kubernetes", "embedded", n=4, lineterm=""))
