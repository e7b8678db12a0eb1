"""Branch-and-cut: proves shortest tours by linear relaxations, cuts and a tree of subproblems.

`search` is the tree, `relaxation` the linear program (HiGHS), `cuts` the inequalities, `separation` finds those that
are violated, `branching` chooses the edge of two subproblems, `nodes` has what is fixed in them, `proof` the bounds
that are safe, `tours` the tours from above; `run` turns nodes into events.
"""
