"""Instances of the Travelling Salesman Problem: reading, checking, measuring and finding them."""
