"""Tours and climbs as files, PNG, SVG and GIF: `image_files`; `canvas` turns cities into pixels."""
