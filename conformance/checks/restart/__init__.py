"""Crash and staleness: the driver killed, the kubelet restarted, the node rebooted."""
