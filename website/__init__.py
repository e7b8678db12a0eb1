"""Builds a site of the documents in ``docs/`` with MkDocs: ``make docs``.

`hooks` is called by MkDocs, `contents` orders the pages as in ``docs/index.md``, `lesson_pages` turns lessons into
pages, `reference` makes pages from docstrings, declarations of parameters and the command line, `fences` renders
pseudo-code. The other files are the site's settings, style and script. None of it is installed.
"""
