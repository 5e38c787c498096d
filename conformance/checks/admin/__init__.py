"""Access of administrators to devices in use."""
