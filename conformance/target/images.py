"""Making the image of a driver that is given as one."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import conformance
from conformance.target.gomodule import Say
from conformance.target.model import ImageSection
from conformance.target.placeholders import fill
from conformance.verdict import Inconclusive

_LIMIT = 600.0  # seconds for one command


def make(section: ImageSection, values: Mapping[str, str], say: Say) -> None:
    """Run the commands of `image.build`, which may use our own packages. Raises Inconclusive."""
    paths = [str(Path(conformance.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    for command in section.build:
        words = [fill(word, values) for word in command]
        say(f"making image {section.reference}: {' '.join(words)}")
        try:
            done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_LIMIT, env=env)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Inconclusive(f"image {section.reference} cannot be made: {error}") from None
        if done.returncode != 0:
            said = " ".join((done.stdout + done.stderr).split())[-600:]
            raise Inconclusive(
                f"image {section.reference} cannot be made: {words[0]} ended with {done.returncode}: {said}"
            )
