"""How a container tells what it sees, where nobody can look into it: its command writes that into its log."""

import json
from collections.abc import Sequence

from conformance.cluster.protocol import ContainerView

_BEGIN = "dra-conformance-sees:"
_SCRIPT = f"""
import json, os, signal, stat

def nodes():
    for folder, _, names in os.walk("/dev"):
        for path in (os.path.join(folder, name) for name in names):
            try:
                mode = os.lstat(path).st_mode
            except OSError:
                continue
            if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
                yield path

with open("/proc/self/mountinfo") as table:
    mounts = sorted({{row.split()[4] for row in table}})
seen = {{"env": dict(os.environ), "devices": sorted(nodes()), "mounts": mounts}}
print("{_BEGIN}" + json.dumps(seen), flush=True)
signal.pause()
"""
COMMAND: Sequence[str] = ("python3", "-c", _SCRIPT)
"""It needs Python in the image, and ends with its container."""


def told(log: str) -> ContainerView | None:
    """What a container has told, by its log; None while it has not."""
    for line in log.splitlines():
        if line.startswith(_BEGIN):
            seen = json.loads(line.removeprefix(_BEGIN))
            return ContainerView(
                env=seen["env"],
                devices=tuple({"path": path} for path in seen["devices"]),
                mounts=tuple({"containerPath": path} for path in seen["mounts"]),
            )
    return None
