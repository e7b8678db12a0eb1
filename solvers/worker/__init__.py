"""Worker processes: started here, spoken to in frames on their standard input and output.

`process` is a worker from outside, `own_end` what its program needs inside, `frames` the one binary form of what they
say, which run files and browsers have as well.
"""
