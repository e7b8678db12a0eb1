"""Measurements that the documents quote: ``python -m benchmarks NAME``. Each result names its machine.

`two_opt`, `annealing`, `lin_kernighan`, `ants`, `held_karp` and `pages` measure; `parts` is a benchmark of several
parts, `device` and `machine` describe where it ran. `sanitize` runs every kernel under NVIDIA's compute-sanitizer,
`assemble` assembles every kernel for each generation of GPUs without one, `checkouts` measures two checkouts in turn.
"""
