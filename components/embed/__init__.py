"""A standalone run: an HTML file that plays it without a server, and the notebook widget's script.

`script` bundles the modules of `assets/embed/` and of the Watch page, `embedded` packs the data of a run, `document`
builds the file, also from a run's events, and `routes` serves it for the server's runs. ``python -m components.embed
RUN.tourscope FILE.html`` makes the file of a saved run.
"""
