"""`gpu.example.com`: the reference driver, for GPUs made up or real; its names are of the public example driver."""

from .config import GpuConfig
from .driver import GpuDriver
from .extras import ExtrasDriver
from .main import main

__all__ = ["ExtrasDriver", "GpuConfig", "GpuDriver", "main"]
