"""Presets from papers (`published`) and users' own (`preset_file`)."""
