"""`python -m fakegpu FILE EVENT [GPU]`: something happens to the made-up GPUs of an inventory file."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fakegpu import change
from fakegpu.inventory import InventoryError

EVENTS: Mapping[str, Callable[[Path, str, int], None]] = {
    "add": change.add,
    "remove": change.remove,
    "sicken": change.sicken,
    "recover": change.recover,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Let it happen; the exit status: 1 when it cannot, with the reason on standard error."""
    parser = argparse.ArgumentParser(prog="fakegpu", description="Let something happen to made-up GPUs.")
    parser.add_argument("file", type=Path, help="inventory file; made when it is not there")
    parser.add_argument("event", choices=EVENTS, help="what happens")
    parser.add_argument(
        "gpu", nargs="?", default="", help="to which GPU, such as gpu-3; by default one, or all recover"
    )
    parser.add_argument("--num-devices", type=int, default=8, help="GPUs of a node without a file (%(default)s)")
    parsed = parser.parse_args(arguments)
    try:
        EVENTS[parsed.event](parsed.file, parsed.gpu, parsed.num_devices)
    except (InventoryError, OSError) as error:
        sys.stderr.write(f"fakegpu: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
