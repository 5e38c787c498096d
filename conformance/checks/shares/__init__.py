"""Devices that several claims use at once."""
