"""Wrong drivers, one fault a module; the docstring says in one sentence what is wrong.

Each module names its fault (FAULT, as in field reports), the checks that must catch it (CAUGHT_BY), and has a `main`
that runs it; EXTRA changes the driver file beyond the command.
"""
