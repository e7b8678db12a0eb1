"""Lower bounds of instances, computed on request.

`service` computes them one at a time, each in a process of its own; `program` is that process; `record` samples the
steps of the ascent; `board` publishes the newest state of one instance's bound to its viewers; `moats` draws a bound.
"""
