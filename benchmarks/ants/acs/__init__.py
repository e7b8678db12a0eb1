"""Ant Colony System, beside Qin and Han (2022)."""
