"""Rolling update: two instances with overlapping lives (contract: UPG)."""
