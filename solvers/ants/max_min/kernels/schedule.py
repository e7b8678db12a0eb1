"""When which tour leaves pheromone in MAX-MIN Ant System, for every device: numbers alone.

T. Stuetzle and H. H. Hoos, "MAX-MIN Ant System", Future Generation Computer Systems 16 (2000), sections 3 to 5.
"""

import numpy as np

#: Up to how many iterations after a restart the best tour since then leaves its pheromone every so often; then always.
SCHEDULE = ((25, 25), (75, 5), (125, 3), (250, 2))
#: Without local search it does so every 25th iteration.
PLAIN = 25
#: Iterations without a better tour since the restart after which the best of all takes its place.
LATE = 50
#: Trails a city above a twentieth of the range where a colony has converged: those of its tour's two edges.
CONVERGED = np.float64(2.0 + 1e-5)
