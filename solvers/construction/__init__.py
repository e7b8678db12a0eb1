"""Algorithms that construct one tour: greedy edges, nearest neighbour, random, or given by a user."""
