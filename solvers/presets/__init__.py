"""Presets: those of papers (`published`), and users' own, which `preset_file` reads and writes."""
