"""The run file, and everything that is read out of it."""
