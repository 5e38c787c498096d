"""`python -m tests.mutants.wrapper`: a driver with the wrapper around it, and nothing wrong with either."""

from tests.mutants.wrapper import Fault, run

raise SystemExit(run(Fault))
