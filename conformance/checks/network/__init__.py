"""Network devices, and what is said of them."""
