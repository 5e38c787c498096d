"""Looking for changes of the hardware, for drivers that nobody tells of them."""

import threading
from collections.abc import Callable, Mapping, Sequence

from . import log
from .driver import DeviceHealth, Driver
from .errors import PluginError
from .pools import Pool

Seen = tuple[Mapping[str, Pool], Sequence[DeviceHealth] | None]
"""What a driver says of its devices at one time: pools and health."""


def look(driver: Driver) -> Seen:
    """What there is now. Raises what the driver raises."""
    return driver.pools(), driver.health()


def keep_looking(driver: Driver, seen: Callable[[], Seen], publish: Callable[[], None], ended: threading.Event) -> None:
    """Publish whenever the driver says something else than was `seen` last, until the plugin has ended.

    A driver that cannot tell changes nothing; it is logged once until it can again.
    """
    trouble = ""
    while not ended.wait(driver.look_every):
        try:
            if look(driver) != seen():
                publish()
            trouble = ""
        except (PluginError, OSError) as error:
            if str(error) != trouble:
                log.warning("cannot look at the devices, will try again", error=str(error))
            trouble = str(error)
