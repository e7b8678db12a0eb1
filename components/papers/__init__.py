"""The page of papers: published tables and figures beside measurements, and measuring them here.

`page` has the layout, `cards` the papers, `routes` what the scripts in ``assets/papers/`` ask for: an entry as JSON
(`entry`, from its `sources` and its `table`), its `export` as CSV and LaTeX, and the queue of measurements.
"""
