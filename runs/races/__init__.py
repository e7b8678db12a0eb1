"""Races: runs on one instance side by side. See docs/race.md.

`spec` is a race as JSON; `service` starts, stores and finds races; `scheduler` lets their lanes take turns; `file`
exports and imports a race; `unpack` is the sandbox process for untrusted files; `comparison` shows finished runs as a
race; `gif` makes the animation; `routes` has the HTTP routes.
"""
