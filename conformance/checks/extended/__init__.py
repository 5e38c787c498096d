"""Devices by the name of an extended resource."""
