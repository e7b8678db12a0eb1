"""Reads coordinates from tables, and tours from plain lists.

`sheet` parses rows of cells, `column_names` guesses the columns of x and y, `table` makes an instance from two columns,
`plain_tour` reads tours.
"""
