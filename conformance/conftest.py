"""Makes `pytest conformance/` work in a clone, where the suite is not installed."""

pytest_plugins = ["conformance.plugin"]
