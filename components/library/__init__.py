"""The Library page: every saved run, race and study.

`routes` answers the page's scripts: `query` parses a search, `rows` converts entries to plain JSON, `actions` changes
entries, `thumbnails` draws small pictures of tours. `table` and `filters` (with the trash) are the list,
`selection` the bar of actions. `comparison` compares runs, with `comparison_chart`.
"""
