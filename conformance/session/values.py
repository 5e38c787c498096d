"""What is given with options, and whether it can be meant. All raise pytest.UsageError with one sentence."""

import math
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from conformance.session.nearest import nearest

_OLDEST_MINOR = 34  # the first with resource.k8s.io/v1


def seconds(option: str, value: float) -> float:
    """A time limit."""
    if not 0 <= value < math.inf:
        raise pytest.UsageError(f"{option}={value:g} is no time limit; give seconds, 0 for none")
    return value


def kubernetes_version(value: str) -> str:
    """A version of Kubernetes without the v, "" when none is given."""
    version = value.removeprefix("v")
    if version and not re.fullmatch(r"1\.\d+\.\d+(-[0-9a-z.]+)?", version):
        raise pytest.UsageError(f"--kubernetes-version={value} is no version of Kubernetes; give one such as 1.37.2")
    if version and int(version.split(".")[1]) < _OLDEST_MINOR:
        raise pytest.UsageError(
            f"--kubernetes-version={value} has no resource.k8s.io/v1; give 1.{_OLDEST_MINOR} or a newer one"
        )
    return version


def kind_image(value: object) -> str:
    """An image of nodes. pytest-kind-ng owns the option where it is installed, and means the same by it."""
    image = value if isinstance(value, str) else ""
    if re.search(r"\s|^-", image):
        raise pytest.UsageError(f"--kind-image={image} is no image; give one such as kindest/node:v1.37.2")
    return image


def path(config: pytest.Config, value: str | None) -> Path | None:
    """A path, seen from where pytest was called."""
    return config.invocation_params.dir / Path(value).expanduser() if value else None


def one_of(option: str, value: str, known: Iterable[str]) -> None:
    """See to it that a value is a known one."""
    names = list(known)
    if value not in names:
        raise pytest.UsageError(f"{option}={value} is not known{nearest(value, names)}; known are {', '.join(names)}")
