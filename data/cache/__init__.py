"""The cache folder, which may be deleted at any time: `place` finds it, `folder_hash` detects changes in a folder.

It stores results that are slow to compute: compiled kernels, trials on a GPU, a page's bundled scripts.
"""
