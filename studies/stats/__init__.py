"""Statistics of a study: pure functions of its table of runs."""
