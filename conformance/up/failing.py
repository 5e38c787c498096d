"""What keeps a cluster from being up, as exit status and in words."""

import traceback

from conformance.cluster.api import ApiError
from conformance.cluster.binaries import BinariesError
from conformance.target import TargetError
from conformance.up.kubeconfig import NotOurs
from conformance.up.order import Wrong
from conformance.up.place import BadName, InUse
from conformance.verdict import Unjudged

INTERRUPTED, INTERNAL_ERROR, USAGE, INCONCLUSIVE = 2, 3, 4, 6


class Ended(Exception):
    """The process of a cluster has ended: with this exit status, for this reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def failure(error: BaseException) -> tuple[int, str]:
    """(exit status, what is said): what the user got wrong is 4, what the environment did 6, a fault of ours 3."""
    if isinstance(error, Ended):
        return error.status, str(error)
    if isinstance(error, Wrong | NotOurs | BadName | InUse | TargetError | ApiError | BinariesError):
        return USAGE, str(error)
    if isinstance(error, Unjudged):
        return INCONCLUSIVE, str(error)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED, "interrupted; nothing is left"
    return INTERNAL_ERROR, "".join(traceback.format_exception(error)).rstrip()
