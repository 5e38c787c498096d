"""What the driver is told about the vendor's driver: where its library and its files are, and what may be set."""

import argparse
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/")
_MADE_UP = ("fleet", "num_devices", "inventory", "partitions", "shares", "binding_conditions")


@dataclass(frozen=True)
class NvmlOptions:
    """Where the vendor's driver is.

    `driver_root` is its folder as container runtimes see it, `mounted_root` the same folder as this process sees it;
    `system_root` has /sys and /proc. `cdi_hook` is the vendor's hook program as runtimes see it. `ignored_xids` come
    beside those that programs cause. `period`: seconds between looks at the GPUs where these tell nothing.
    """

    library: Path | None = None
    driver_root: Path = _ROOT
    mounted_root: Path = _ROOT
    system_root: Path = _ROOT
    cdi_hook: Path | None = None
    ignored_xids: frozenset[int] = frozenset()
    set_compute_mode: bool = False
    period: float = 5.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments, in a group of their own."""
    group = parser.add_argument_group("GPUs that NVML tells of (--gpus=nvml)")
    found = "by default where the driver root or the loader has it"
    group.add_argument("--nvml-library", type=Path, metavar="PATH", help=f"libnvidia-ml.so.1, {found}")
    words = "where the vendor's driver is installed, as container runtimes see it (%(default)s)"
    group.add_argument("--driver-root", type=Path, metavar="PATH", default=_ROOT, help=words)
    words = "where this process sees the driver root, if it is elsewhere: in a container, its mount"
    group.add_argument("--driver-root-mount", type=Path, metavar="PATH", help=words)
    words = "what has the machine's /sys and /proc (%(default)s)"
    group.add_argument("--system-root", type=Path, metavar="PATH", default=_ROOT, help=words)
    words = "nvidia-cdi-hook or nvidia-ctk, as runtimes see it; by default it is looked for in the driver root"
    group.add_argument("--cdi-hook", type=Path, metavar="PATH", help=words)
    words = "XIDs that do not ail a GPU, beside those of programs, such as 94,95"
    group.add_argument("--ignored-xids", type=_numbers, metavar="LIST", default=frozenset(), help=words)
    words = "how often GPUs are looked at that tell nothing (%(default)s)"
    group.add_argument("--look-every", type=_seconds, metavar="SECONDS", default=5.0, help=words)
    words = "set GPUs to what a claim's GpuConfig means for them, as far as NVML can, and back at Unprepare"
    group.add_argument("--set-compute-mode", action="store_true", help=words)


def check(parser: argparse.ArgumentParser, parsed: argparse.Namespace) -> None:
    """End with a sentence where arguments are given that are for made-up GPUs only."""
    for name in _MADE_UP:
        if getattr(parsed, name, None) not in (None, False, parser.get_default(name)):
            option = f"--{name.replace('_', '-')}"
            parser.error(f"argument {option}: it is for made-up GPUs; leave out that, or --gpus=nvml")


def from_arguments(parsed: argparse.Namespace) -> NvmlOptions:
    """The options from parsed arguments."""
    return NvmlOptions(
        library=parsed.nvml_library,
        driver_root=parsed.driver_root.absolute(),
        mounted_root=(parsed.driver_root_mount or parsed.driver_root).absolute(),
        system_root=parsed.system_root.absolute(),
        cdi_hook=parsed.cdi_hook,
        ignored_xids=parsed.ignored_xids,
        set_compute_mode=parsed.set_compute_mode,
        period=parsed.look_every,
    )


def _numbers(text: str) -> frozenset[int]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not all(word.isdecimal() for word in words):
        raise argparse.ArgumentTypeError(f"{text!r} must be numbers with commas between them, such as 94,95")
    return frozenset(map(int, words))


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0.01 <= number <= 30:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number of seconds from 0.01 to 30")
    return number
