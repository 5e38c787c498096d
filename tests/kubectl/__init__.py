"""kubectl works with the embedded cluster as with a real control plane: the same commands, the same output."""
