"""Clusters whose nodes are on this machine: processes that die with the run, and the driver as one of them."""
