"""Races: runs of one instance side by side. See docs/race.md.

`spec` is a race as JSON, `service` starts, keeps and finds races, `scheduler` lets their lanes take turns, `file` is a
race as one file, `unpack` the sandbox process that unpacks an untrusted one, `comparison` shows finished runs as a
race, `gif` makes the animation, `routes` the HTTP routes.
"""
