"""The pytest plugin: selecting, running and judging checks, and what the run says in the end.

Loaded into every pytest run of an environment that has the suite installed, so only `options` and `activate` are
imported then; the rest comes in when a driver is given.
"""
