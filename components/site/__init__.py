"""A site: static pages for any web server, with lessons, Beat 2-opt and saved runs.

`pages` makes the documents, `lessons` the data of a lesson, `build` collects and writes all files. The scripts in
`assets/site/` solve what a reader starts, since a static page has no server. ``python -m components.site DIR`` makes a
site.
"""
