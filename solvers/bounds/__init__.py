"""Lower bounds on the shortest tour, which limit the gap to an unknown optimum.

`lower_bound` computes an instance's Held-Karp bound, step by step; `ascent` improves the prices on candidate edges,
`full_tree` proves them on all edges. `problem` computes the scaled distances, also for directed instances, `candidates`
the candidate edges, `alpha` the alpha-nearness of edges to a 1-tree. `moats` is the picture of the subtour bound, and
`laminar` uncrosses its sets. `load` compiles the kernels.
"""
