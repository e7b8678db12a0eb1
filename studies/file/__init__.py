"""The study file: an SQLite file per study.

`create` creates it, `writer` adds one run at a time, `reader` reads it (even during writes), `checks` validates
untrusted content, `columns` turns rows into columns, `lock` admits one writing process.
"""
