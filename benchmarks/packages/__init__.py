"""Packages of other projects: the files that they read, and the promises of their solvers."""
