"""The data folder of a server: where it is, which version it has, its backup.

`place` finds the folder, `version` refuses one of a newer release, `backup` packs one into a file while a server may be
using it, `restore` unpacks such a file into a new folder, `cli` has the two as commands. What is in the folder is the
concern of the packages that write it.
"""
