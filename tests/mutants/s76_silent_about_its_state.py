"""Ends at its start as if all were well when it cannot read its state."""

from pathlib import Path

from reference_driver import gpu, plugin
from reference_driver.plugin import checkpoint

FAULT = "S76"
CAUGHT_BY = ("restart.broken_state",)
BREAKS = ("OPS-03",)


class Strict(plugin.Checkpoint):
    def _read(self, path: Path) -> plugin.ClaimRecord | None:
        try:
            return checkpoint._decode(path.read_bytes())
        except FileNotFoundError:
            return None
        except (ValueError, KeyError) as error:
            raise plugin.PluginError(str(error)) from error


def main() -> int:
    status = gpu.main(parts=plugin.Parts(checkpoint=Strict))
    return 0 if status == 1 else status


if __name__ == "__main__":
    raise SystemExit(main())
