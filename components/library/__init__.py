"""The Library page: every saved run, race and study.

`query` reads a browser's search request, `rows` turns entries into plain JSON, `table` and `filters` are the list,
`selection` and `actions` the actions on entries, `trash` the deleted entries. `comparison` compares runs, with
`comparison_chart` and `curves`; `thumbnails` are small pictures of tours.
"""
