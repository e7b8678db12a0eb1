"""The genetic algorithm (Holland, 1975) with edge assembly crossover (Nagata, 1997) or order crossover (Davis, 1985).

`cpu` is a population on the CPU; `edge_assembly_cpu` and `order_cpu` store and cross its tours. `inheritance` shows
which edges a child has from which parent.
"""
