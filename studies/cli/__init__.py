"""The command line: ``python -m solvers study``.

`main` runs it, `arguments` parses the options, `flags` turns them into a spec, `progress` draws the progress bar.
"""
