"""A run by itself: one HTML file that plays it without a server, and the script of the widget of notebooks.

`script` joins the modules of `assets/embed/` and of the Watch page, `embedded` is their data on a run,
`document` is the file, `recording` makes it of a run's events, `routes` has it of the server's runs.
``python -m components.embed RUN.tourscope FILE.html`` makes the file of a saved run.
"""
