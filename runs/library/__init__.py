"""The library of what was run: found, named, tagged, deleted and restored. See docs/library.md.

`service` is all that its page can ask, `entry` what it answers. Files become entries by `files` (which there are),
`facts` (what one says), `scanner` (all of that, renewed in the background), `cache` (kept on disk), `index`, `search`.
`labels` and `label_rules` are names and tags; `deletion` plans one, `trash` and `trash_manifest` keep what was
deleted.
"""
