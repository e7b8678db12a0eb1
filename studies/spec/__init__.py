"""Which runs a study has."""
