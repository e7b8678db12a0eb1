"""The Study page: many runs, and their statistics."""
