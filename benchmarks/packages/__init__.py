"""Packages of other projects: what they read, and what their solvers promise."""
