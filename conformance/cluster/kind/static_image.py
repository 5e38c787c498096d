"""Makes an image of one static binary: for drivers in Go that are built here.

usage: python -m conformance.cluster.kind.static_image TAG BINARY
"""

import sys
import tarfile
import tempfile
from pathlib import Path

from conformance.cluster.kind.command import run
from conformance.verdict import Inconclusive


def build(tag: str, binary: Path) -> None:
    """Make the image; its entrypoint is the binary. Raises Inconclusive."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "image.tar")
        with tarfile.open(archive, "w", dereference=True) as tar:
            tar.add(binary, f"bin/{binary.name}")
            scratch = tarfile.TarInfo("tmp")
            scratch.type, scratch.mode = tarfile.DIRTYPE, 0o1777
            tar.addfile(scratch)
        changes = (f'ENTRYPOINT ["/bin/{binary.name}"]', "LABEL dra-conformance=driver-image")
        options = [word for change in changes for word in ("--change", change)]
        run(["docker", "import", *options, archive, tag], f"make the image {tag}", timeout=120)


def main() -> int:
    """The command; the exit status."""
    if len(sys.argv) != 3:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    try:
        build(sys.argv[1], Path(sys.argv[2]))
    except Inconclusive as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
