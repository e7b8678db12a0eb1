"""Runs in several processes by MPI: starting them, talking to them, and memory that they share."""
