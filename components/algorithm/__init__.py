"""Choosing an algorithm, its variant and its parameters."""
