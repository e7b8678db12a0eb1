"""Ant algorithms: code shared by Ant System, MAX-MIN Ant System and Ant Colony System, and a folder for each.

`solver` is the base class of the algorithms, `colony` the protocol that colonies on all devices implement. `run` turns
a colony's iterations into events; `multi_colony` runs several colonies as one. `heuristics` computes eta and the
initial trails. `cpu` is a colony on the CPU, `dense_cpu` one whose trails are a matrix; `arrays_cpu` is the layout of
the arrays from which its ants choose. `cuda` is a colony on a GPU; `arrays_cuda` holds its arrays, and `launches_cuda`
the launches that the algorithms share. `final_local_search` shortens the best tour at the end. `heatmap` draws trails
as images; `sparse_trails` stores trails that are equal on all but a few edges.
"""
