"""`python -m fakegpu FILE EVENT [GPU]`: something happens to the made-up GPUs of an inventory file."""

import argparse
import contextlib
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from fakegpu import change
from fakegpu.entries import THROTTLES
from fakegpu.errors import ERRORS, HANG
from fakegpu.fields import InventoryError
from fakegpu.fleets import FLEETS


def main(arguments: Sequence[str] | None = None) -> int:
    """Let it happen; the exit status: 1 when it cannot, with the reason on standard error."""
    parsed = _parser().parse_args(arguments)
    try:
        parsed.happen(parsed)
    except (InventoryError, OSError) as error:
        _say(str(error))
        return 1
    return 0


def _say(words: str) -> None:
    sys.stderr.write(f"fakegpu: {words}\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="fakegpu", description="Let something happen to made-up GPUs.")
    parser.add_argument("file", type=Path, help="inventory file; made when it is not there")
    events = parser.add_subparsers(metavar="EVENT", required=True, help="what happens; EVENT --help says more")

    def event(name: str, words: str, happen: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
        made = events.add_parser(name, help=words, description=words)
        made.add_argument("gpu", nargs="?", default="", help="to which GPU, such as gpu-3; by default one or all")
        made.add_argument("--num-devices", type=int, default=8, help="GPUs of a node without a file (%(default)s)")
        made.set_defaults(happen=happen)
        return made

    event("add", "a GPU appears", lambda asked: change.add(asked.file, asked.gpu, asked.num_devices))
    event("remove", "a GPU vanishes", lambda asked: change.remove(asked.file, asked.gpu, asked.num_devices))
    event("sicken", "a GPU falls off the bus", lambda asked: change.sicken(asked.file, asked.gpu, asked.num_devices))
    event("recover", "a GPU, or all, are well", lambda asked: change.recover(asked.file, asked.gpu, asked.num_devices))
    _failures(event)
    made = events.add_parser("fleet", help="the node has the GPUs of a fleet that ships, and no others")
    made.add_argument("name", choices=FLEETS)
    made.set_defaults(happen=lambda asked: change.fleet(asked.file, asked.name))
    made = events.add_parser("table", help="write a table for the fake libnvidia-ml, now and after every event")
    made.add_argument("--num-devices", type=int, default=8, help="GPUs of a node without a file (%(default)s)")
    made.add_argument("--follow", action="store_true", help="until it is ended, also after every edit of the file")
    made.set_defaults(happen=_table)
    made = events.add_parser("tree", help="write what a machine with these GPUs has in /sys, /proc, /dev and /usr")
    made.add_argument("folder", type=Path, help="the files are written below it")
    made.add_argument("--keep", action="store_true", help="from now on also after every event")
    made.set_defaults(happen=lambda asked: change.tree(asked.file, asked.folder, asked.keep))
    return parser


def _table(asked: argparse.Namespace) -> None:
    change.table(asked.file, asked.num_devices)
    if asked.follow:
        with contextlib.suppress(KeyboardInterrupt):
            change.follow(asked.file, threading.Event(), _say)


def _failures(event: Callable[..., argparse.ArgumentParser]) -> None:
    made = event(
        "xid", "a GPU tells of an XID", lambda a: change.xid(a.file, a.gpu, a.num_devices, a.code, a.instances or ())
    )
    made.add_argument("--code", type=int, required=True, help="number of the XID, such as 48")
    ids = "ids of the instances of a MIG device that it is about"
    made.add_argument("--instances", type=int, nargs=2, metavar=("GPU", "COMPUTE"), help=ids)
    made = event(
        "ecc", "bits flip in its memory", lambda a: change.ecc(a.file, a.gpu, a.num_devices, a.errors, a.corrected)
    )
    made.add_argument("--errors", type=int, default=1, help="how many (%(default)s)")
    made.add_argument("--corrected", action="store_true", help="they could be corrected")
    made = event("throttle", "its clocks are slowed", lambda a: change.throttle(a.file, a.gpu, a.num_devices, a.reason))
    made.add_argument("--reason", choices=THROTTLES, default="hw-thermal-slowdown", help="why (%(default)s)")
    made = event(
        "fail", "a function of NVML fails", lambda a: change.fail(a.file, a.gpu, a.num_devices, a.function, a.error)
    )
    made.add_argument("--function", default="*", help="which, such as nvmlInit; by default all of them")
    made.add_argument("--error", choices=[*ERRORS, *HANG], default="unknown", help="how (%(default)s)")
    made = event("mig", "it is cut into MIG instances", lambda a: change.mig(a.file, a.gpu, a.num_devices, a.instances))
    how = made.add_mutually_exclusive_group(required=True)
    words = "such as 3g.40gb:4; may be given again"
    how.add_argument(
        "--instance", dest="instances", action="append", type=_instance, metavar="PROFILE:START", help=words
    )
    how.add_argument("--empty", dest="instances", action="store_const", const=[], help="MIG mode is on, with none")
    how.add_argument("--off", dest="instances", action="store_const", const=None, help="MIG mode is off")


def _instance(text: str) -> tuple[str, int]:
    profile, _, start = text.partition(":")
    if not start.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} must be a profile and where it starts, such as 3g.40gb:4")
    return profile, int(start)


if __name__ == "__main__":
    raise SystemExit(main())
