"""A study in the formats of other programs.

`csv`, `parquet`, `latex`, `iohprofiler`; `rows` is a run as plain values, `paths` where files may go.
"""
