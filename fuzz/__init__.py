"""Fuzzing of the reader of TSPLIB files: ``python -m fuzz``."""
