"""Which runs a study has.

`spec` is the study as JSON, `matrix` its cells (one run each) in their order, `expand` one entry over the values of a
parameter, `open_ended` runs that use up their budget, `climbers` the study of climbers against accuracy, `plan` what
runs there should be beside those that are finished.
"""
