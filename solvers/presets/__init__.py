"""Presets from papers (`published`) and users' own presets (`preset_file`)."""
