"""Measurements of papers' entries, which the server runs one after another.

`service` is the interface of the papers' page and its queue; `process` runs each measurement in a process of its own.
"""
