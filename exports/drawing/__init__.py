"""Tours and climbs as files: `image_files` makes PNG, SVG and GIF, `paper_files` PDF and TikZ for papers.

`city_map` computes the positions of cities and the lines through them, `date_line` splits these, `canvas` draws,
`captions` words the texts, `gif` encodes animations as GIFs, `video_file` as MP4 and WebM.
"""
