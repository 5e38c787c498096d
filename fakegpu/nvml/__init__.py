"""A fake libnvidia-ml.so.1, so that programs that ask NVIDIA's library for GPUs are tried without any.

It is built from source/ by build.py, into the user's cache folder: never where the loader looks, never into a wheel.
`python -m fakegpu FILE table` writes what it answers from; the environment variable FAKEGPU_NVML names that file.
"""
