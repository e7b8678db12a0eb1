"""The run file, and data read from it.

`home` is the data folder, `run_file` writes a run, `reader` reads it, `recovery` ends runs left by a killed server.
Derived from frames: `climb` (a whole climb), `live_tour` (the head: the current tour), `pheromone` (the newest
picture), `clock` (the run's seconds), `summary` (a run in a few values), `tour_timeline` (the tours of the timeline).
"""
