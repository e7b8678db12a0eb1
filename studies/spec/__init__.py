"""The definition of a study: its runs.

`spec` is the study as JSON, `matrix` lists its cells (one run each) in order, `expand` varies an entry over the values
of a parameter, `open_ended` makes runs use up their budget, `climbers` is the study of climbers against accuracy,
`title` makes a default title, `plan` counts planned and failed runs. `tune` is the part that only tuning studies have,
with its `ranges`; `space` lists the possible ranges of an algorithm's parameters. `fields` checks fields shared by
several parts.
"""
