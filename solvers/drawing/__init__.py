"""Tours and climbs as files: `image_files` makes PNG, SVG and GIF, `paper_files` PDF and TikZ of tours for papers.

`city_map` says where cities lie and which lines go through them, `date_line` splits these, `canvas` draws, `names`
finds room for the names of cities, `animation` encodes GIFs and has the words below them, `video_file` encodes the same
animations as MP4 and WebM.
"""
