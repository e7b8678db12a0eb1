"""The server without its pages: each run has its own process and file, and any number of viewers.

`service` is the pages' interface to runs. `engine` provides the workers, `store` the run file, `stream` the connection
to browsers; `races`, `study_jobs`, `paper_jobs` and `library` build on runs; `imports` reads untrusted files, `web`
contains routes and middleware. See docs/server.md.
"""
