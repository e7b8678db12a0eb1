"""Presets of one's own: `preset_file` reads and writes them."""
