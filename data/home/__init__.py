"""A server's data folder: location, version and backup.

`place` finds the folder, `version` refuses a folder of a newer release, `backup` packs a folder into a file even while
a server is using it, `restore` unpacks such a file into a new folder, `cli` offers these two as commands. The contents
of the folder are defined by the packages that write them.
"""
