"""The command line: ``python -m solvers``."""
