"""The same driver is judged alike on every kind of cluster."""
