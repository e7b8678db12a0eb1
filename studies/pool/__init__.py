"""The workers of a study, and what each of them does next."""
