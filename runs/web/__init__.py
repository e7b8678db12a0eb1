"""The server's HTTP routes and middleware. See docs/server.md.

`routes` defines the routes of runs, `page_router` those of every page, `instances` the instance list, `downloads` the
files of a run. `guard` checks all requests; `callback_guard` checks those of Dash's callbacks, with `callback_kinds`.
`faults` answers failed requests, `log` formats the log, `memory` returns memory to the system after uploads, `window`
shows the page without a browser.
"""
