"""A server's data folder: location, version and backup.

`place` finds the folder, `version` refuses one of a newer release, `backup` packs one into a file even while a server
is using it, `restore` unpacks such a file into a new folder, `cli` has both as commands. The contents of the folder are
defined by the packages that write them.
"""
