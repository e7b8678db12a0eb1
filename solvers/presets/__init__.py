"""Users' own presets: `preset_file` reads and writes them."""
