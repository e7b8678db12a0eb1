"""The command line: ``python -m solvers study``.

`arguments` reads a study's options, `flags` makes a spec of them.
"""
