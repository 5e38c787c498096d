"""What a driver writes into claims (contract: STS)."""
