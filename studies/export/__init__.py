"""A study in the formats of other programs.

`csv`, `parquet`, `latex`, `iohprofiler`; `rows` turns runs into plain values, `paths` checks output paths.
"""
