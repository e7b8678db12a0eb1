"""The library of all runs, races and studies: search, names, tags, deletion. See docs/library.md.

`service` is the interface of its page, `entry` has the values that it returns. `files` lists the files, `facts` reads
one, `scanner` does so in the background, `cache` keeps the facts on disk, `index` makes entries of them, `search`
filters and sorts these. `labels` and `label_rules` are names and tags; `deletion` plans a deletion, `trash` and
`trash_manifest` keep deleted files.
"""
