"""MAX-MIN Ant System (Stützle and Hoos, 2000).

`deposit_schedule` decides which tour deposits pheromone, how the trails are limited, and when a colony restarts. `cpu`
and `cuda` are the colony on each kind of device; `colonies_cuda` runs several colonies on a GPU at the same time.
"""
