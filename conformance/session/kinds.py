"""What the options say about a cluster of kind, and what is got for it before any check begins."""

import sys
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from conformance.session.options import Settings
from conformance.session.state import TROUBLE

if TYPE_CHECKING:
    from conformance.cluster.kind import KindSettings


def kind_settings(asked: Settings) -> "KindSettings":
    """The settings of the cluster."""
    from conformance.cluster.kind import KindSettings

    return KindSettings(
        asked.kubernetes_version or KindSettings.kubernetes,
        asked.real_timers,
        asked.keep_cluster,
        asked.kind_image,
        exact=bool(asked.kubernetes_version),
        tap=asked.tap,
        registry=asked.registry_prefix,
    )


def prepare(config: pytest.Config, asked: Settings) -> None:
    """Get the image of nodes: pulling or making it takes longer than a check may. What is in the way is told later."""
    from conformance.cluster.kind import get_node_image
    from conformance.verdict import Inconclusive

    try:
        get_node_image(kind_settings(asked), asked.kubernetes_binaries, partial(say, config))
    except Inconclusive as error:
        config.stash[TROUBLE] = f"the cluster did not come up: {error}"


def say(config: pytest.Config, line: str) -> None:
    """Tell what goes on, also while a check's own output is captured."""
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else nullcontext():
        sys.stderr.write(f"{line}\n")
