"""Branch-and-cut: proves that tours are shortest, by linear relaxations, cuts and a tree of subproblems.

`search` is the tree, `relaxation` the linear program (HiGHS), `cuts` the inequalities. `separation` finds violated
ones, `branching` chooses the edge to branch on, `nodes` stores the fixed edges of subproblems, `proof` computes safe
lower bounds, `tours` finds the upper bounds, and `run` reports nodes as events.
"""
