"""Instances of the Travelling Salesman Problem: reading, checking, measuring and finding them.

`instance` is what one is, `distances` measures after TSPLIB 95, `display` says where cities are drawn, `generators`
makes random ones, `limits` says how large they may be. `tsplib` and `tables` read files, `collection` finds instances.
`errors` is what bad input raises. `moments` (times), `plain_json`, `lock`, `files` and `sqlite_files` guard what is
read and written. `build_instances` makes the bundle, with `optima.json` of what is known of best tours.
"""
