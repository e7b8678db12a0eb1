"""Ant algorithms: code shared by Ant System, MAX-MIN Ant System and Ant Colony System, and a folder for each.

`solver` is the base class of the algorithms, `colony` the protocol that a colony implements on every device. `run`
turns a colony's iterations into events, `multi_colony` runs several colonies as one. `heuristics` computes eta and the
initial trails. `cpu` is a colony on the CPU, `dense_cpu` one whose trails are a matrix, `arrays_cpu` the memory layout
that its choices read. `cuda` is a colony on a GPU, with its arrays in `arrays_cuda` and the launches that the
algorithms share in `launches_cuda`. `final_local_search` shortens the best tour at the end. `heatmap` draws the trails
as images; `sparse_trails` stores trails of which only a few differ.
"""
