"""Splits a run into parts small enough to embed in a file or a page.

`parts` packs frames, `selection` chooses which climbs and pictures fit, `run` packs a run file, `recorder` writes a run
file from events. `components.embed` adds a player.
"""
