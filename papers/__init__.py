"""The five papers behind the algorithms: their published results, entry by entry, and code to reproduce them.

There is a module per paper (`utne_hansen`, `oneil_burtscher`, `uchida`, `qin_han`, `bitner`), each with a `Paper` of
entries. An entry is a table or a figure, with its published figures as data, the recipe that measures ours, and a
drawing (`model`). `recipes` measures, `results` stores the measurements, `cli` has the commands of ``python -m
papers``. The package does not import Dash, and imports Numba only to measure.
"""
