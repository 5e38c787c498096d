"""Ready fleets: inventories of nodes that there are, to be used as they are or to build on."""

from pathlib import Path

_FOLDER = Path(__file__).parent
FLEETS = tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))
"""Names of the fleets."""


def fleet_file(name: str) -> Path:
    """The inventory file of a fleet, one of FLEETS."""
    return _FOLDER / f"{name}.yaml"
