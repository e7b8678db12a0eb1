"""Races: runs of one instance side by side. See docs/race.md.

`spec` is a race as JSON, `service` starts, keeps and finds races, `scheduler` lets their lanes take turns, `file` is a
race as one file, `unpack` the child process that takes one of somebody else's apart, `comparison` finished runs shown
as a race, `gif` the animation, `routes` their routes.
"""
