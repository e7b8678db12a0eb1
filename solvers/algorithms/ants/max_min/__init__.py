"""MAX-MIN Ant System (Stützle and Hoos, 2000).

`deposit_schedule` decides which tour deposits pheromone, the limits of the trails, and when a colony restarts; `cpu`
and `cuda` are the colony on each device, `colonies_cuda` runs several on a GPU at the same time.
"""
