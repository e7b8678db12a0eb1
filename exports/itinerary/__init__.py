"""A tour as a list of places with the distances between them, made by `stops`.

`route_files` writes it as GPX, GeoJSON and KML for maps, `table_file` as CSV; `files` lists the kinds of files.
"""
