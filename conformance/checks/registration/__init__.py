"""Registration with the kubelet (contract: REG)."""
