"""Devices that are made ready before a pod is bound."""
