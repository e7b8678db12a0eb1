"""Algorithms that construct tours: greedy edges, nearest neighbour, random tours, or one given by a user."""
