"""The table of climbers: its columns share the width that there is."""

import json

from components.watch import numbers


def test_all_columns_fit_from_the_first_moment_on():
    table = next(each for each in numbers.panel()._traverse() if getattr(each, "className", "") == "climbers")
    grid = json.loads(getattr(table, "data-grid"))["props"]
    assert {column["flex"] for column in grid["columnDefs"]} == {1}
    # else the head has no cells until the grid's width is known, which a screen reader takes for a broken table
    assert grid["dashGridOptions"]["suppressColumnVirtualisation"]
    assert sum(column["minWidth"] for column in grid["columnDefs"]) <= 340  # of a phone
