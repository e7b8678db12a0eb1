"""From a worker's frames to the browsers that watch.

`collector` takes frames from the worker into the run file, `channel` holds what is newest and notifies, `session` is
one browser's end of the stream.
"""
