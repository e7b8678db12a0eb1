"""The Library page: every run, race and study that is kept."""
