"""The Library page: every saved run, race and study.

`routes` answers the page's scripts: `query` reads a search, `rows` turns entries into plain JSON, `actions` are done to
entries, `thumbnails` are small pictures of tours. `table` and `filters` are the list, `selection` the bar of actions,
`trash` the deleted entries. `comparison` compares runs, with `comparison_chart` and `curves`.
"""
