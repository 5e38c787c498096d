"""`gpu.example.com`: the reference driver, for made-up GPUs; its names are those of the public example driver."""

from .config import GpuConfig
from .driver import GpuDriver
from .extras import ExtrasDriver
from .main import main

__all__ = ["ExtrasDriver", "GpuConfig", "GpuDriver", "main"]
