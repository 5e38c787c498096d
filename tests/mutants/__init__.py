"""Wrong drivers, one fault a module; the docstring says in one sentence what is wrong.

Each module names its fault (FAULT, an id), the checks that must catch it (CAUGHT_BY) and has a `main` that runs the
driver; EXTRA, where there is one, changes the driver file beyond the command. m…: faults of the common list, s…: faults
that a check was written for, b…: faults that were written from the contract before anybody looked at the checks.

Most are a change of the reference driver, or of BASE. One with WRAPS changes nothing in a driver but stands around it
(`tests.mutants.wrapper`), and is a mutant of each driver named there; CAUGHT_BY and BREAKS may then be by driver.
"""
