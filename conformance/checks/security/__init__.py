"""What a driver may do, and what it trusts (contract: SEC)."""
