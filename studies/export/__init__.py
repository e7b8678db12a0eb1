"""A study in the formats of other programs."""
