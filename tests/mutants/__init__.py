"""Wrong drivers, one fault a module; the docstring says in one sentence what is wrong.

Each module names its fault (FAULT, an id), the checks that must catch it (CAUGHT_BY) and has a `main` that runs the
driver; EXTRA, where there is one, changes the driver file beyond the command.
"""
