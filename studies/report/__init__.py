"""What a study shows, in words and for a terminal.

`sentences` says what it shows, `cautions` what it does not, `shortfalls` which runs are missing or ended early;
`summary` has the median gaps, `terminal` prints them; `climbers` tells of climbers against accuracy.
"""
