"""Lower bounds of the shortest tour: they limit how far a tour can be above an unknown optimum.

`lower_bound` gives the bound of Held and Karp of an instance, step by step; `ascent` raises the prices on candidate
edges, `full_tree` proves them on all edges. `problem` has the scaled distances, of directed instances too, and
`candidates` the edges; `alpha` the alpha-nearness of edges to a 1-tree. `load` compiles the kernels.
"""
