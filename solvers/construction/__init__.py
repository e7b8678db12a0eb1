"""Algorithms that construct tours: greedy edges, nearest neighbour, insertions, random tours, or one given by a user.

`tries` is the base of those that construct one tour after another.
"""
