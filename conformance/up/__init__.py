"""Clusters that are kept running, for kubectl or for a driver under development: `dra-conformance up`."""
