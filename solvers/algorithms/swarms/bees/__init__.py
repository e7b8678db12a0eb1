"""Artificial bee colony (Karaboga and Basturk, 2007) for the Travelling Salesman Problem."""
