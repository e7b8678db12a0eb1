"""The five papers behind the algorithms: their published results, entry by entry, and the code that measures them
again.

A module a paper (`utne_hansen`, `oneil_burtscher`, `uchida`, `qin_han`, `bitner`), each with a `Paper` of entries: a
table or a figure, with its published figures as data, the recipe that measures ours, and how it is drawn (`model`).
`recipes` has what measures, `results` what was measured, `cli` the commands of ``python -m papers``. Plain Python:
neither Dash nor, before something is measured, Numba.
"""
