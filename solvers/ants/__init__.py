"""Ant algorithms: what Ant System, MAX-MIN Ant System and Ant Colony System share, and a folder for each.

`solver` is what every ant algorithm does, `colony` the protocol that a colony implements on every device, `run` its
iterations turned into events, `multi_colony` several of them side by side. `heuristics` is what ants know before they
walk (eta, first trails). `cpu` is a colony on cores, `dense_cpu` one whose trails are a matrix, `choice_cpu` what its
ants read, laid out for a selection. `cuda` is a colony on a GPU, with its arrays in `arrays_cuda` and the launches
that algorithms share in `launches_cuda`. `local_search_cpu` shortens ants' tours, `final_local_search` the best one at
the end. `heatmap` makes pictures of the trails; `sparse_trails` are trails that are alike but for a few.
"""
