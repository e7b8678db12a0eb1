"""Exports of a study to other formats.

`csv`, `parquet`, `latex`, `iohprofiler` are the formats; `rows` turns runs into plain values.
"""
