"""Splits a run into parts small enough to embed in a file or a page.

`parts` packs frames, `run` packs a run file with the climbs and pictures that fit, `recorder` writes a run file from
events. `components.embed` adds a player.
"""
