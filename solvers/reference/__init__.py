"""Solvers of other projects, for comparison: fast-tsp, LKH (elkai), OR-Tools routing, PyVRP.

Each is a package that the user installs. `package` says whether it is there, `solver` calls it again and again with a
rising time limit, `calls` does so in a process of its own (`child`), and `fast_tsp`, `elkai`, `or_tools` and `pyvrp`
describe one package each and have the one function that imports it.
"""
