"""Reading and writing TSPLIB 95 files (Reinelt, 1995)."""
