"""Exceptions that nobody catches: in threads of the harness, and in finalizers.

pytest makes warnings of them, and errors of warnings where the project's ini file says so; at the end of a run such an
error would be exit status 1, which says that the driver is at fault.
"""

import sys
import threading
import traceback
from collections.abc import Callable


def catch(report: Callable[[str], object]) -> None:
    """Tell `report` of each thread that dies. pytest undoes it at its end."""

    def in_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_type is SystemExit:
            return
        name = args.thread.name if args.thread else "a thread"
        traceback.print_exception(args.exc_type, args.exc_value, args.exc_traceback)
        report(f"{name} died of {args.exc_type.__name__}: {args.exc_value}")

    threading.excepthook = in_thread


def excuse_finalizers() -> None:
    """Finalizers that fail, such as those of what Ctrl-C broke off, just go to stderr. pytest undoes it at its end."""
    sys.unraisablehook = sys.__unraisablehook__
