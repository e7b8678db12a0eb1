"""MAX-MIN Ant System (Stützle and Hoos, 2000).

`deposit_schedule` says which tour deposits pheromone, within which limits, and when a colony restarts; `cpu` and
`cuda` do it on their device.
"""
