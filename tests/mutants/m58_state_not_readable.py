"""Its next version refuses to start over the state that this version wrote."""

import sys
from typing import Any

from reference_driver import gpu, plugin

FAULT = "M58"
CAUGHT_BY = ("upgrade.state_readable", "upgrade.in_sequence")
BREAKS = ("UPG-03",)
EXTRA = {"nextVersionArguments": ["--next"]}


class NextCheckpoint(plugin.Checkpoint):
    def reload(self) -> None:
        super().reload()
        if self.records():
            raise plugin.PluginError("checkpoint: unsupported version 1, expected 2")


def main() -> int:
    arguments: list[Any] = [argument for argument in sys.argv[1:] if argument != "--next"]
    parts = plugin.Parts(checkpoint=NextCheckpoint) if "--next" in sys.argv else plugin.Parts()
    return gpu.main(arguments, parts=parts)


if __name__ == "__main__":
    raise SystemExit(main())
