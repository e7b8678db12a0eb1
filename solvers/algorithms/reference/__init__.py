"""Solvers of other projects for comparison: fast-tsp, LKH (elkai), OR-Tools routing and PyVRP.

Each is a package that the user installs. `package` checks whether it is installed, `solver` calls it repeatedly with a
rising time limit, `calls` does so in a separate process (`child`), and `fast_tsp`, `elkai`, `or_tools` and `pyvrp`
describe one package each and contain the function that imports it.
"""
