"""Choosing an algorithm, its variant and its parameters.

`form` is generated from what a solver declares; `variants` says which can run here, `variant_table` compares all of
them, `requirements` what the run would take, `start_tour` what runs before the algorithm.
"""
