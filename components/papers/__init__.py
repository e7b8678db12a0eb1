"""The Papers page: published tables and figures beside our measurements, and measuring here.

`page` contains the layout, and `cards` lists the papers. `routes` answers the scripts in ``assets/papers/``: an entry
as JSON (`entry`, from its `sources` and its `table`), its `export` as CSV and LaTeX, and the queue of measurements.
"""
