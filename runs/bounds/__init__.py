"""Lower bounds of instances, computed on request.

`service` has each computed in a process of its own, one at a time; `program` is that process; `record` has steps
of how it went; `board` has the newest of one instance for its viewers.
"""
