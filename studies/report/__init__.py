"""Reports of a study: sentences, and text for a terminal.

`sentences` describes its results, `cautions` their limits, `shortfalls` missing, short or identical runs; `summary`
computes median gaps, `terminal` prints them; `climbers` reports climbers against accuracy.
"""
