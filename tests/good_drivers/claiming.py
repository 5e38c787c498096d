"""What drivers say of themselves that are like the reference, but for a feature."""

_FEATURES = ["rolling-update", "health", "taints", "device-status", "metadata", "admin-access", "prioritized-list"]
WITHOUT_RESOURCE = {"features": _FEATURES, "deviceClasses": [{"name": "gpu.example.com"}]}
"""Offers no extended resource: by the name of one, pods cannot say more than how many devices they want."""
