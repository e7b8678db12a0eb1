"""The Library page: every run, race and study that is kept.

`query` reads what a browser asks for, `rows` are entries as plain JSON, `table` and `filters` the list, `selection`
and `actions` what is done to entries, `trash` what was deleted. `comparison` compares runs, with `comparison_chart`
and `curves`; `thumbnails` are small pictures of tours.
"""
