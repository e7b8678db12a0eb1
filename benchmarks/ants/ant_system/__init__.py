"""Ant System and MAX-MIN Ant System, beside papers and peers."""
