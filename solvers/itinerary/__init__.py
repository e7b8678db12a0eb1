"""A tour as a list of places with the distances between them: `stops` makes it.

`route_files` writes it as GPX, GeoJSON and KML for maps, `table_file` as CSV; `files` lists what can be written.
"""
