"""Measurements of the papers' entries, which the server starts one after another.

`service` is the interface of the papers' page and its queue; `process` runs each measurement in a process of its own.
"""
