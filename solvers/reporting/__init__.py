"""Reporting shared by solvers on every device.

`statistics` counts finished climbers (stop rules, new bests, columns of the table), `climbs` records moves as events,
`constructions` edges, `snapshots` the tours of climbs that are not recorded, `populations` the tours of a population
and `generations` its run; `pictures` chooses the iterations with pictures; `first_tour` makes the tour of a run that
ends before its algorithm begins.
"""
