"""Instances of the Travelling Salesman Problem: reading, checking, measuring and finding them.

`instance` defines an instance, `distances` computes TSPLIB 95 distances, `display` drawing positions, `generators`
makes random instances, `limits` has their size limits. `tsplib` and `tables` read files, `pictures`
makes cities of a picture, `collection` finds instances.
`errors` has the error that bad input raises, `suggest` what is said of an unknown name. `moments` (timestamps),
`plain_json`, `lock`, `files` and `sqlite_files` read and write safely. `build_instances` makes the bundled instances
and `optima.json`, the lengths of best known tours.
"""
