"""Choosing an algorithm, its variant and its parameters.

`form` is generated from what a solver declares; `variants` says which can run here, `variant_table` compares all of
them, `requirements` what the run would take, `start_tour` what runs before the algorithm. `several` is the list and
the dialog of a setup that has more than one: the lanes of a race, the entries of a study.
"""
