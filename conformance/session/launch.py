"""The program that `dra-conformance run` becomes: pytest, but what pytest does not catch is never exit status 1.

That says that the driver is at fault, and Python ends with it too: when output goes to a full disk, to a pipe that
nobody reads any more or nowhere at all, or on Ctrl-C before pytest is up. A script, as nothing of the suite may be
imported before pytest is there.
"""

import gc
import os
import sys
import traceback
from contextlib import suppress


def main() -> int:
    """Run pytest with the arguments of this process; returns the exit status."""
    _open_closed_streams()
    gc.disable()  # what is imported stays; it is turned on again when checks begin
    try:
        import pytest

        status = int(pytest.main())
        sys.stdout.flush()
    except KeyboardInterrupt:
        status = 2
    except Exception:
        with suppress(Exception):
            traceback.print_exc()
        status = 3
    # What cannot be written must not be tried again, and fail again, when Python ends.
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
            continue
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1 if stream is sys.stdout else 2)
    return status


def _open_closed_streams() -> None:
    """Else the next file or socket would take their place, and be printed to."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest number that is free: this one
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(main())
