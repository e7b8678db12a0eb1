"""The cache folder, which may be deleted at any time: `place` finds it, `folder_hash` detects changes of a folder.

Its users keep in it what takes long to make: compiled kernels, trials on a GPU, a page's joined scripts.
"""
