"""Measurements of the papers' entries, which the server starts one after another.

`service` is the interface of the papers' page and its queue, `process` is the program that measures, a process each.
"""
