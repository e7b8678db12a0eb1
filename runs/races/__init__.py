"""Races: runs of one instance side by side."""
