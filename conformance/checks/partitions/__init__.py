"""Devices that share counters with others."""
