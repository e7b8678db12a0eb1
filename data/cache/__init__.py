"""The cache folder, whose content can be made again: `place` finds it, `folder_hash` says whether a folder has changed.

Its users keep in it what takes long to make: compiled kernels, trials on a GPU, a page's joined scripts.
"""
