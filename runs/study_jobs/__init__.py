"""Studies run by the server in the background.

`service` is the interface of the study page, `queue` runs one study at a time, `folders` finds study files, `snapshots`
caches their contents, `routes` has the HTTP routes of downloads and uploads.
"""
