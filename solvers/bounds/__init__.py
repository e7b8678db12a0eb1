"""Lower bounds on the shortest tour, which limit the gap to an unknown optimum.

`lower_bound` computes the Held-Karp bound of an instance, step by step; `ascent` raises the prices on candidate edges,
`full_tree` proves them on all edges. `problem` computes the scaled distances, also of directed instances, `candidates`
the edges, `alpha` the alpha-nearness of edges to a 1-tree. `moats` is the picture of the subtour bound, `laminar`
uncrosses its sets. `load` compiles the kernels.
"""
