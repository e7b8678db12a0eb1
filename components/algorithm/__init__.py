"""Choosing an algorithm, its variant and its parameters.

`form` is generated from the parameters that a solver declares; `variants` finds out which variants can run here,
`variant_table` compares all of them, `requirements` shows the memory that the run would need, `start_tour` is the
choice of the stages before the algorithm. `several` is the list and the dialog of a setup that has more than one
algorithm: the lanes of a race, the entries of a study.
"""
