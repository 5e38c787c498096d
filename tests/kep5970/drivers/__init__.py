"""Wrong drivers for behaviours that no driver of tests/mutants breaks alone."""
