"""All families: importing this registers them."""

import importlib
import pkgutil

from tests.fidelity import requests

for _module in pkgutil.iter_modules(requests.__path__):
    importlib.import_module(f"{requests.__name__}.{_module.name}")
