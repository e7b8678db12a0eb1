"""The command line: ``python -m solvers study``.

`main` runs it and draws the progress bar, `arguments` parses the options and checks output paths, `flags` turns them
into a spec.
"""
