"""The lower bound of the instances of runs, for whoever watches one and asks.

`service` has each computed in a process of its own, one at a time; `program` is that process; `record` has steps
of how it went; `board` has the newest of one instance for its viewers.
"""
