"""NodeUnprepareResources, and that nothing stays behind (contract: UNP)."""
