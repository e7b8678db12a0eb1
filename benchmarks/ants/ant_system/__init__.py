"""Ant System and MAX-MIN Ant System, compared with papers and other programs."""
