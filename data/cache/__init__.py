"""The cache folder, deletable at any time: `place` finds it, `folder_hash` detects a folder's changes.

It stores results that are slow to compute: compiled kernels, trials on a GPU, a page's bundled scripts.
"""
