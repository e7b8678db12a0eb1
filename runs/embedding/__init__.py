"""A run as parts small enough to be carried in a file or a page of its own.

`parts` packs frames, `selection` says which climbs and pictures fit, `run` packs a run file, `recorder` makes a run
file of the events of a run that has none. `components.embed` puts a player around it.
"""
