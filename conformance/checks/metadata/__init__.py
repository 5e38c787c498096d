"""Files about devices in containers (contract: MET)."""
