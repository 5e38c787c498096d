"""What drivers report of their devices' health (contract: HLT)."""
