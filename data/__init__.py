"""Instances of the Travelling Salesman Problem: reading, checking, measuring and finding them.

`instance` defines an instance, `distances` computes TSPLIB 95 distances, `display` drawing positions, `generators`
makes random instances, `limits` sets their size limits. `tsplib` and `tables` read files, `pictures` turns pictures
into cities, `collection` finds instances. `errors` defines the error for invalid input, `suggest` proposes names for
unknown ones. `moments` (timestamps), `plain_json`, `lock`, `files` and `sqlite_files` read and write safely.
`build_instances` makes the bundled instances and `optima.json`, the lengths of best known tours.
"""
