"""Reporting that solvers on all devices share.

`statistics` counts finished climbers (stop rules, new best tours, columns of the table). `climbs` records moves as
events, `constructions` records edges, and `snapshots` the tours of climbs that are not recorded. `ordered` reports
climbers by index, `populations` the tours of a population, `generations` a population's run. `pictures` chooses the
iterations with pictures; `first_tour` makes the tour of a run that ends before its algorithm begins.
"""
