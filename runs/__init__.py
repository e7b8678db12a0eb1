"""Runs: each in a process and a file of its own, shown to everybody who looks. The server without its pages.

`service` is all that the pages can ask of runs. `engine` has the workers, `store` the run file, `stream` the way to
browsers, `races`, `study_jobs` and `library` what is made of runs, `imports` files from others, `web` routes and
guards. See docs/server.md.
"""
