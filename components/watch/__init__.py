"""The Watch page: one run."""
