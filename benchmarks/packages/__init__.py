"""Packages of other projects as they are: what they read, and what their solvers promise."""
