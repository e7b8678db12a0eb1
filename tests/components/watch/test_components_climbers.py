"""The table of climbers: its columns share the available width."""

import json

from components.watch import numbers


def test_all_columns_fit_from_the_start():
    table = next(each for each in numbers.panel()._traverse() if getattr(each, "className", "") == "climbers")
    grid = json.loads(getattr(table, "data-grid"))["props"]
    assert all(column["width"] == column["minWidth"] for column in grid["columnDefs"])
    assert sum(column["width"] for column in grid["columnDefs"]) <= 340  # of a phone
