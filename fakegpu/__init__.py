"""Made-up GPUs: inventories of devices that no machine has, for drivers that are to be tried without hardware."""

from .fields import InventoryError
from .fleets import FLEETS, fleet_file
from .gpu import Gpu
from .inventory import Node, default_inventory, load_inventory, load_node
from .watch import watch_file

__all__ = [
    "FLEETS",
    "Gpu",
    "InventoryError",
    "Node",
    "default_inventory",
    "fleet_file",
    "load_inventory",
    "load_node",
    "watch_file",
]
