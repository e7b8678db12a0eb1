"""Choosing an instance, and bringing one's own."""
