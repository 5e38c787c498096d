"""What tests of Prepare and Unprepare look at."""

from .fake_plugin import FakePlugin
from .world import World

PREPARE = "NodePrepareResources"
UNPREPARE = "NodeUnprepareResources"
PREFIX = "Failed to prepare dynamic resources: prepare dynamic resources: "


def calls(plugin: FakePlugin, method: str) -> list[list[str]]:
    return [uids for name, uids in plugin.calls if name == method]


def refused(world: World, text: str) -> None:
    """The pod's event with exactly this text."""
    world.happened("prepare_failed")
    world.api.wait(lambda: PREFIX + text in world.texts())
