"""NodePrepareResources (contract: PREP)."""
