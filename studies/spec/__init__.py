"""The definition of a study: which runs it has.

`spec` is the study as JSON, `matrix` its cells (one run each) in order, `expand` one entry over the values of a
parameter, `open_ended` runs that use up their budget, `climbers` the study of climbers against accuracy, `title` what
a study without a title is called, `plan` the numbers of planned and failed runs. `tune` is the part of a tuning, with
its `ranges`, `space` the ranges that an algorithm's parameters have. `fields` checks what several parts have.
"""
