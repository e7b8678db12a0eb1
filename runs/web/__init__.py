"""The server's routes, and who may use them. See docs/server.md.

`routes` has those of runs, `page_router` what those of every page begin with, `instances` what the dialog of instances
shows, `downloads` what can be saved of a run. `guard` stands before all routes, `callback_guard` before Dash's
callbacks, with `callback_kinds`. `faults` answers what fails, `log` writes it, `memory` gives memory back after
uploads.
"""
