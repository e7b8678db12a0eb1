"""Algorithms that construct tours: greedy edges, nearest neighbour, insertions, Christofides, random, or a given tour.

`tries` is the base of the algorithms that construct one tour after another.
"""
