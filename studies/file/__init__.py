"""The study file: one SQLite file per study.

`create` makes it, `writer` adds one run at a time, `reader` reads it (also during writes), `connection` opens it,
`checks` validates untrusted content, `columns` turns rows into columns, `lock` admits one writing process.
"""
