"""The study file: one SQLite file a study."""
