"""The run file, and everything that is read out of it.

`home` is the data folder, `run_file` writes a run, `reader` reads it, `recovery` ends what a killed server left.
Made of frames: `climb` (a whole climb), `live_tour` (the head: the current tour) with `live_tour_times`, `pheromone`
(the newest picture), `clock` (the run's seconds), `summary` (a run in a few values), `tour_timeline` (the film: tours
to scrub through).
"""
