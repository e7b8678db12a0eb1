"""Reports of a study: sentences, and text for a terminal.

`finding` states the main result of a study, `verdicts` compares entries, `sentences` describes their ranking,
`cautions` the limits of the results, `shortfalls` the runs that are missing, ended early or identical. `summary`
computes median gaps, `terminal` prints them; `climbers` reports the accuracy of different numbers of climbers.
"""
