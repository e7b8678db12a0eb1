"""Ant algorithms: what Ant System, MAX-MIN Ant System and Ant Colony System share, and a folder for each."""
