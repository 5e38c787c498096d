"""What the command line of `up` asks for, and what is wrong with it."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from conformance.images import prefix
from conformance.target import Target, TargetError
from conformance.target.problems import nearest

CLUSTERS = ("embedded", "control-plane", "kind")
NO_DRIVER = "none"
_OLDEST_MINOR = 34  # the first with resource.k8s.io/v1


class Wrong(ValueError):
    """The command line asks for something that cannot be; the text says what to give instead."""


@dataclass(frozen=True)
class Order:
    """A cluster that is to be kept. `drivers`: driver files, or names of those that ship; paths are absolute.

    registry: prefix of the mirror that images are pulled from, "" for where they are published.
    """

    name: str
    cluster: str
    drivers: tuple[str, ...]
    kubeconfig: Path | None = None
    version: str = ""
    binaries: Path | None = None
    registry: str = ""

    def check(self) -> None:
        """Raises Wrong."""
        if self.cluster == "existing":
            raise Wrong(
                "--cluster=existing is for dra-conformance run, which leaves a cluster of yours as it was; up makes "
                f"clusters: give {', '.join(CLUSTERS)}"
            )
        if self.cluster not in CLUSTERS:
            hint = nearest(self.cluster, CLUSTERS) or ";"
            raise Wrong(f"--cluster={self.cluster} is not known{hint} known are {', '.join(CLUSTERS)}")
        if self.cluster == "embedded":
            for option, value in (("--kubernetes-version", self.version), ("--kubernetes-binaries", self.binaries)):
                if value:
                    raise Wrong(f"{option} is for --cluster=control-plane or kind; leave it out")
        prefix(self.registry, Wrong)
        if self.version and not re.fullmatch(r"1\.\d+\.\d+(-[0-9a-z.]+)?", self.version):
            raise Wrong(f"--kubernetes-version={self.version} is no version of Kubernetes; give one such as 1.37.2")
        if self.version and int(self.version.split(".")[1]) < _OLDEST_MINOR:
            raise Wrong(
                f"--kubernetes-version={self.version} has no resource.k8s.io/v1; give 1.{_OLDEST_MINOR} or newer"
            )

    def targets(self) -> list[Target]:
        """The drivers. Raises TargetError, Wrong."""
        if NO_DRIVER in self.drivers and len(self.drivers) > 1:
            raise Wrong(f"--driver={NO_DRIVER} goes with no other --driver; leave one of them out")
        found = [Target.load(each, process=self.cluster != "kind") for each in self.drivers if each != NO_DRIVER]
        taken: set[str] = set()
        for target in found:
            own = {driver.name for driver in target.file.drivers}
            if both := own & taken:
                raise TargetError(f"{target.path}: the driver {sorted(both)[0]} is that of another --driver, too")
            taken |= own
        return found

    def to_json(self) -> str:
        """It as text."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str) -> "Order":
        """The order of a text."""
        data = json.loads(text)
        paths = {key: Path(data[key]) if data[key] else None for key in ("kubeconfig", "binaries")}
        return cls(**{**data, **paths, "drivers": tuple(data["drivers"])})
