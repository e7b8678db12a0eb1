"""Ant Colony System (Dorigo and Gambardella, 1997)."""
