"""Ant Colony System, compared with Qin and Han (2022)."""
