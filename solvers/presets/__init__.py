"""Users' own presets, read and written by `preset_file`."""
