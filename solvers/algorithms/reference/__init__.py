"""Solvers of other projects for comparison: fast-tsp, LKH (elkai), OR-Tools routing and PyVRP.

Each is a package that the user installs. `package` checks whether it is installed. `solver` calls it repeatedly, for
longer each time, by `calls`, in a separate process (`child`). `fast_tsp`, `elkai`, `or_tools` and `pyvrp` describe one
package each, and have the function that imports it.
"""
