"""CDI: what the containers see (contract: CDI)."""
