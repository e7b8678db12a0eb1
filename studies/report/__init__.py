"""Reports of a study: sentences, and text for a terminal.

`finding` says what a study shows, `verdicts` which entry is better than which, `sentences` how they rank, `cautions`
what limits that, `shortfalls` which runs are missing, short or identical; `summary` computes median gaps, `terminal`
prints them; `climbers` reports climbers against accuracy.
"""
