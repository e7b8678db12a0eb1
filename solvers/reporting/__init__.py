"""Reporting that solvers on every device share.

`statistics` counts finished climbers (stop rules, new bests, columns of the table), `climbs` records moves as events,
`constructions` edges, `snapshots` the tours of climbs that are not recorded, `populations` the tours of a population;
`pictures` says after which iterations there are pictures; `first_tour` has the tour of a run that ends before
its algorithm begins.
"""
