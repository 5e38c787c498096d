"""Made-up GPUs: inventories of devices that no machine has, for drivers that are to be tried without hardware."""

from .inventory import Gpu, InventoryError, default_inventory, load_inventory
from .watch import watch_file

__all__ = ["Gpu", "InventoryError", "default_inventory", "load_inventory", "watch_file"]
