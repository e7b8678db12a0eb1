"""Makes a site of the documents in ``docs/``, with MkDocs: ``make docs``.

`hooks` is what MkDocs calls, `contents` the order of the pages after ``docs/index.md``, `lesson_pages` turns lessons
into pages to read, `reference` makes pages from docstrings, declarations of parameters and the command line, `fences`
draws pseudo-code. The files beside them are the site's settings, style and script. Nothing of it is installed.
"""
