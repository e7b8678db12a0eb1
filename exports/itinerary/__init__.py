"""A tour as a list of places and the distances between them.

`route_files` writes it as GPX, GeoJSON and KML for maps; `files` lists the kinds of files, and writes CSV.
"""
