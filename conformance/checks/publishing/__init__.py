"""ResourceSlices (contract: RS)."""
