"""The files of the vendor's driver that containers get: those of NVIDIA's container toolkit that are there."""

import glob
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from reference_driver.plugin import log

from .options import NvmlOptions

LIBRARY_FOLDERS = (
    "usr/lib64",
    "usr/lib/x86_64-linux-gnu",
    "usr/lib/aarch64-linux-gnu",
    "lib64",
    "lib/x86_64-linux-gnu",
    "lib/aarch64-linux-gnu",
    "usr/lib",
)
_BELOW = ("", "vdpau", "nvidia/current", "nvidia/current/vdpau")
_PROGRAMS = (
    "nvidia-smi",
    "nvidia-debugdump",
    "nvidia-persistenced",
    "nvidia-cuda-mps-control",
    "nvidia-cuda-mps-server",
    "nvidia-imex",
    "nvidia-imex-ctl",
)
_PROGRAM_FOLDERS = ("usr/bin", "usr/sbin", "bin", "usr/local/bin", "opt/bin")
_SOCKETS = ("run/nvidia-persistenced/socket", "run/nvidia-fabricmanager/socket", "tmp/nvidia-mps")
_FIRMWARE = "lib/firmware/nvidia/{version}/gsp*.bin"
_HOOKS = tuple(
    f"{folder}/{name}"
    for folder in ("usr/bin", "usr/local/nvidia/toolkit", "usr/local/bin", "opt/nvidia/toolkit")
    for name in ("nvidia-cdi-hook", "nvidia-ctk")
)


@dataclass(frozen=True)
class Installation:
    """Paths as containers get them; on the node they are below the driver root. `hook` is the hook program, if any."""

    libraries: tuple[PurePosixPath, ...] = ()
    programs: tuple[PurePosixPath, ...] = ()
    firmware: tuple[PurePosixPath, ...] = ()
    sockets: tuple[PurePosixPath, ...] = ()
    hook: PurePosixPath | None = None


def survey(options: NvmlOptions, version: str) -> Installation:
    """What there is of this version of the driver, in an order that stays the same."""
    root = options.mounted_root
    libraries = tuple(_libraries(root, version))
    hook = PurePosixPath(options.cdi_hook) if options.cdi_hook else _hook(options)
    if not libraries:
        log.warning("no libraries of the NVIDIA driver", driver_root=str(root), version=version)
    if not hook:
        log.warning(
            "no nvidia-cdi-hook, so containers get libraries without links and not in the linker's cache; name it with"
            " --cdi-hook",
            driver_root=str(root),
        )
    programs = (next(_there(root, (f"{folder}/{name}" for folder in _PROGRAM_FOLDERS)), None) for name in _PROGRAMS)
    return Installation(
        libraries,
        tuple(filter(None, programs)),
        tuple(sorted(_inside(root, path) for path in root.glob(_FIRMWARE.format(version=glob.escape(version))))),
        tuple(_there(root, iter(_SOCKETS))),
        hook,
    )


def _libraries(root: Path, version: str) -> Iterator[PurePosixPath]:
    """Those that bear the driver's version, each once: /lib is often a link to /usr/lib."""
    seen: set[str] = set()
    for folder in (root / base / below for base in LIBRARY_FOLDERS for below in _BELOW):
        for path in sorted(folder.glob(f"lib*.so.{glob.escape(version)}")) if version else ():
            if path.name not in seen and path.is_file():
                seen.add(path.name)
                yield _inside(root, path)


def _hook(options: NvmlOptions) -> PurePosixPath | None:
    found = next(_there(options.mounted_root, iter(_HOOKS)), None)
    return found and PurePosixPath(options.driver_root, *found.parts[1:])


def _there(root: Path, names: Iterator[str]) -> Iterator[PurePosixPath]:
    return (PurePosixPath("/", name) for name in names if (root / name).exists())


def _inside(root: Path, path: Path) -> PurePosixPath:
    return PurePosixPath("/", path.relative_to(root))
