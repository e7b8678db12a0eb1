"""The five papers behind the algorithms: their published results, entry by entry, and code to reproduce them.

``published`` has a file per paper with its entries, which `catalogue` loads. An entry is a table or a figure, with its
published figures, the recipe that measures ours, and a drawing (`model`). `recipes` measures, `results` stores the
measurements, `cli` has the commands of ``python -m papers``. The package does not import Dash, and imports Numba only
to measure.
"""
