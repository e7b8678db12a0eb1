"""Streams a worker's frames to the browsers watching the run.

`collector` writes the worker's frames to the run file, `channel` holds the newest data and notifies viewers, `session`
serves one browser's WebSocket.
"""
