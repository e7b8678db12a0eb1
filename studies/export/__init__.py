"""Exports of a study to other formats.

`csv`, `parquet`, `latex` and `iohprofiler` write one format each; `rows` turns runs into plain values.
"""
