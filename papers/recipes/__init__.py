"""Recipes that measure the entries: a module for each family of algorithms, whose functions take a `plan.Plan`."""
