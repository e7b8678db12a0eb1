"""Studies that the server works on in the background.

`service` is all that the study page can ask, `queue` does one study at a time, `folders` says where study files are,
`snapshots` keeps what was last read of them, `routes` has their downloads and uploads.
"""
