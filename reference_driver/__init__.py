"""A DRA plugin framework for Python (`plugin`) and a driver for made-up GPUs on top of it (`gpu`)."""
