"""Taints on sick devices (contract: RS-13, RS-14, RS-24, RS-25), and rules that taint devices."""
