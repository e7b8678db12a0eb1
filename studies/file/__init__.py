"""The study file: one SQLite file a study.

`create` makes it, `writer` adds a run at a time, `reader` reads it also meanwhile, `connection` opens it, `checks`
what anybody may have written, `columns` makes columns of its rows, `lock` lets one process work on it.
"""
