"""The library of all runs, races and studies: search, names, tags and deletion. See docs/library.md.

`service` is the interface of the page, and `entry` defines its return values. `files` lists the files, `facts` reads
one file, `scanner` reads all of them in the background, `cache` stores the facts on disk, `index` builds entries,
`search` filters and sorts them. `labels` are names and tags; `deletion` plans a deletion; `trash` and
`trash_manifest` store deleted files.
"""
