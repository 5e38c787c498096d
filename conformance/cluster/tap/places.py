"""Where the tap finds and makes sockets."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath


@dataclass(frozen=True)
class Places:
    """Folders as the harness sees them, but `home_on_node`.

    shadow: where drivers make their registration sockets; registry: where the kubelet looks for them; home: of the
    tap's own DRA sockets; host_path: where a path that a process on the node uses is seen from the harness.
    """

    shadow: Path
    registry: Path
    home: Path
    home_on_node: PurePosixPath
    host_path: Callable[[str], Path]

    def dra_socket(self, endpoint: str) -> tuple[Path, str]:
        """The tap's socket in front of a driver's endpoint: as the harness sees it, and as the kubelet does."""
        name = hashlib.sha256(endpoint.encode()).hexdigest()[:12] + ".sock"
        return self.home / name, str(self.home_on_node / name)
