"""Pictures of tours and climbs as files: PNG, SVG and GIF."""
