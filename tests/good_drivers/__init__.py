"""Right drivers of many designs, one a module; the docstring says in one sentence what is special about it.

Each module has a `main` that runs the driver. EXTRA, where there is one, changes the driver file beyond the command;
NOT_APPLICABLE names the checks that have nothing to look at, and WARNED those that may rightly warn.
"""
