"""Measurements quoted in the documents: ``python -m benchmarks NAME``. Each result names its machine.

`two_opt`, `annealing`, `lin_kernighan`, `ants`, `held_karp` and `pages` measure; `parts` is a benchmark with several
parts; `device` and `machine` describe the hardware. `sanitize` runs every kernel under NVIDIA's compute-sanitizer,
`assemble` assembles every kernel for each generation of GPUs without needing one, `checkouts` compares two checkouts.
"""
