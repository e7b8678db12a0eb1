"""Choice of an algorithm, its variant and its parameters.

`setup` is what the setups of a run, a race and a study share. `form` is generated from the parameters declared by a
solver. `variants` finds the variants that can run here, `variant_table` compares all of them, `requirements` shows the
memory that the run needs, `start_tour` chooses the stages before the algorithm. `several` is the list and the dialog of
a setup with several algorithms: the lanes of a race or the entries of a study.
"""
