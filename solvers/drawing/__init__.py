"""Tours and climbs as image files: `image_files` makes PNG, SVG and GIF.

`canvas` maps cities to pixels and draws, `animation` encodes GIFs and has the words below them.
"""
