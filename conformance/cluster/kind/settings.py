"""What kind of a kind cluster is wanted."""

from dataclasses import dataclass

KUBERNETES_VERSION = "1.37.2"


@dataclass(frozen=True)
class KindSettings:
    """keep: leave the cluster for the next run, and use the one that an earlier run left.

    tap: whether calls between kubelet and driver can be seen and disturbed; without it nothing comes between them.
    image: the image of nodes, "" for one of `kubernetes`; exact: whether no other patch version will do then.
    registry: prefix of the mirror that images are pulled from, "" for where they are published.
    """

    kubernetes: str = KUBERNETES_VERSION
    real_timers: bool = False
    keep: bool = False
    image: str = ""
    exact: bool = True
    tap: bool = True
    registry: str = ""
