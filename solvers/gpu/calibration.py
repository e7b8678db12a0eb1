"""Constants tuned on a GPU, each with its trade-off and the command that measures it.

All constants were tuned on one NVIDIA H200 (compute capability 9.0, 132 multiprocessors). On other GPUs they give the
same results, but perhaps not the best speed. The command in a section's heading measures the effect of a change, and
``--json FILE`` saves the samples for a comparison. Run it on an otherwise idle GPU.

Plain Python: pages and variants may read it.

Constants that are part of a kernel's machine code stay beside the kernel: registers per thread in
`solvers.algorithms.annealing.kernels.anneal_cuda` (``_OPTIONS``) and `solvers.algorithms.annealing.kernels.rounds_cuda`
(``REGISTERS``), and the work of a round in `solvers.algorithms.annealing.kernels.chain_cuda` (``ROUND``); registers in
`solvers.algorithms.ants.ant_system.kernels.walk_queen_cuda` (``_REGISTERS``); the number of simultaneous loads in
`solvers.algorithms.ants.ant_system.kernels.roulette_cuda` (``LOADS``),
`solvers.algorithms.ants.ant_system.kernels.walk_worker_cuda` (``_LOADS``),
`solvers.algorithms.ants.acs.kernels.choice_block_cuda` (``LOADS``) and
`solvers.algorithms.ants.kernels.choice_warp_cuda` (``BATCH``); rows of a tile in
`solvers.algorithms.ants.kernels.pheromone_cuda` (``TILE_ROWS``); a tile's side in
`solvers.algorithms.two_opt.kernels.array_cuda` (``TILE``); the number of moves after a scan in
`solvers.algorithms.two_opt.kernels.multi_move_cuda` (``MAX_MOVES``), of rows searched one by one in
`solvers.algorithms.two_opt.kernels.strip_cuda` (``_ROWS``), of columns between two checks in
`solvers.algorithms.two_opt.kernels.strip_geometry` (``STEP``); the number of a warp's targets and sets in
`solvers.algorithms.held_karp.kernels.extend_cuda` (``_MAX_TARGETS``) and
`solvers.algorithms.held_karp.kernels.layer_cuda` (``_MAX_RUN``); the number of a tour's pieces in
`solvers.algorithms.lin_kernighan.kernels.overlay_cuda` (``MAX_PIECES``, ``LOG_WORDS``); threads per block and the
maximum number of exchanges that a kick evaluates in `solvers.algorithms.lin_kernighan.kernels.repair_cuda`
(``THREADS``, ``MAX_EVALUATED``). The constants of `solvers.kernels.local_search_cuda` (``CITIES``, ``_ROUND``,
``MAX_WORK``, ``_BLOCKS``) also stay there, since shared kernels import only kernels.
"""

# All algorithms --------------------------------------------------------------------------------------------------
# python -m benchmarks two-opt-gpu; python -m benchmarks annealing; python -m benchmarks ant-system

#: Target seconds per launch: balances the cost of a launch against the delay of updates and stops.
LAUNCH_SECONDS = 0.05
#: Target seconds of the first launch: short, because its speed is unknown and an early result is wanted.
FIRST_LAUNCH_SECONDS = 0.005

# 2-opt: python -m benchmarks two-opt-gpu -------------------------------------------------------------------------

#: Minimum number of scans that a climber makes in the first launch, before the speed is measured.
FIRST_SCANS = 1
#: Possible numbers of positions per strip, each with its maximum number of registers per thread. Longer strips compute
#: fewer distances twice, but leave room for fewer resident warps. The numbers are odd, so that a warp's threads read
#: different banks of shared memory.
STRIP_REGISTERS = {3: 64, 5: 72, 7: 80, 9: 96}
#: Cost of a distance, of a column apart from its distances, and of a scan apart from its columns, in instructions of a
#: warp, including waiting. Balances long strips against many strips.
STRIP_DISTANCE, STRIP_COLUMN, STRIP_SCAN = 8, 24, 3000
#: Number of warps that hide half of the latency: balances large blocks against many blocks.
STRIP_HALF_HIDDEN = 5.0
#: Maximum number of cities that a block of the published variants can scan in one launch of at most 100 ms.
MAX_SCAN_CITIES = 20_000
#: Number of registers per thread of `tile` and `tuned`, as the compiler reports it; decides how many blocks fit.
TILE_REGISTERS = 40
#: Target seconds of a measured launch in the trial of `tuned`, and number of launches per candidate, of which only the
#: fastest counts.
TRIAL_SECONDS, TRIAL_LAUNCHES = 0.003, 5
#: Number of registers per thread that variants with one climber per thread assume, until the compiler reports it.
THREAD_REGISTERS = 64
#: Number of threads per block of `array`, and of climbers that it runs at a time: enough to fill the GPU, but not its
#: memory.
ARRAY_THREADS, ARRAY_CLIMBERS = 256, 1024

# Lin-Kernighan: python -m benchmarks lin-kernighan-gpu ------------------------------------------------------------

#: Number of registers of a thread that kicks: fewer leave room for more warps, which hide latency, but cause spills.
REPAIR_REGISTERS = 80
#: Number of kicks in the first launch, before the speed is measured. Each later launch has at most four times as many
#: kicks as the one before.
FIRST_KICKS = 1 << 14
#: For a single tour: the maximum number of kicks in the first batch, of kicks per city in any batch, and of kicks in
#: any batch. These balance a full GPU against kicks that conflict or find the same result. If fewer than one in
#: 2 ** FEW_RESULTS kicks of a batch has a result that is applied, the next batch is larger.
BATCH_KICKS, KICKS_PER_CITY, MAX_KICKS, FEW_RESULTS = 1 << 15, 64, 1 << 16, 11
#: Limits for a tour that will be crossed later: the number of exchanges that a kick may evaluate, since a launch lasts
#: as long as its longest kick, and the number of kicks per city in a batch.
POPULATION_EVALUATED, POPULATION_KICKS = 4000, 4
#: For large tours that all GPUs kick together: the minimum number of kicks of the first batch, and its kicks per city;
#: the maximum number of kicks of any batch, in total and per city. If fewer than one in 2 ** LARGE_FEW_RESULTS kicks
#: has a result that is applied, the next batch is larger.
LARGE_BATCH, LARGE_KICKS_PER_CITY, LARGE_MAX_KICKS, LARGE_MAX_KICKS_PER_CITY = 1 << 17, 0.25, 1 << 19, 4
LARGE_FEW_RESULTS = 10
#: Minimum number of cities for which GPUs kick one half of the tour while cores apply the results for the other half.
#: This hides the time that applying results takes, but on half a tour more of a batch's results conflict.
MIN_HALVED_CITIES = 150_000
#: One in this many kicks of a batch may lengthen the tour: enough to leave a local optimum, but so few that the others
#: repair the tour.
LONGER_STRIDE = 64
#: How many times as much as on a core a kick may lengthen the tour, since only few kicks may; and the maximum number of
#: cities of a tour that may become longer, since its best version must then be stored too.
HEAT_FACTOR, MAX_HEATED = 10, 50_000

# Simulated annealing: python -m benchmarks annealing -------------------------------------------------------------

#: Number of rounds in the first launch, before the speed is measured.
FIRST_ROUNDS = 256
#: Maximum number of chains that are resident on a multiprocessor: more hide more latency, but each has a smaller share
#: of the caches.
RESIDENT_CHAINS = 24
#: Maximum number of chains per core that wait for a core; if more wait, the GPU waits too.
WAITING_CHAINS = 64

# Ant System and MAX-MIN Ant System: python -m benchmarks ant-system ----------------------------------------------

#: Number of threads in a block that processes one tour or row, and in the block that processes all ants.
TOUR_THREADS, ALL_THREADS = 128, 256
#: Maximum number of ants per block: its ants have a table in shared memory in common, but must start together.
BLOCK_ANTS = 16
#: Upper estimate of the seconds that a warp takes for an ant's step if few steps read a row; limits the number of ants
#: per launch.
WARP_STEP_SECONDS = 2.5e-6
#: How many weights all ants of a launch can read within 50 ms. `WARP_READS`: with one warp per ant, if every other step
#: reads a row, as at the beginning of a run. `BLOCK_READS`: with one block per ant, also in Ant Colony System.
#: `QUEEN_READS`: with one block per ant that marks visited cities in registers.
WARP_READS, BLOCK_READS, QUEEN_READS = 35_000_000_000, 20_000_000_000, 6_000_000_000
#: Minimum number of ants per launch: one per multiprocessor.
LAUNCH_ANTS = 132
#: How many weights an ant reads in a launch with one thread per ant, and the number of ants in such a launch; it then
#: takes less than 100 ms.
WORKER_READS, WORKER_ANTS = 1 << 20, 1056
#: How many weights a colony's ants read in a launch with one block per colony, so that it takes less than 100 ms on one
#: multiprocessor.
COLONY_READS = 1 << 25
#: Minimum and maximum number of threads per block in Ant System, with one block per ant: more threads load more at the
#: same time, but wait longer at barriers.
BLOCK_THREADS = 128, 512
#: If an iteration exceeds this product of cities and ants, or this number of launches, it is divided, because it may
#: take too long to be launched at once.
LONG_ITERATION, MANY_LAUNCHES = 20_000_000, 12
#: Maximum number of cities on a GPU: with more, even a launch with only as many ants as keep the GPU busy would take
#: more than 100 ms.
MAX_CITIES = 10_000

# Ant Colony System: python -m benchmarks acs ---------------------------------------------------------------------

#: Upper estimates of the seconds that a step takes, and of the additional seconds per city, for each kind of local
#: update: twice the measured times. They determine how many cities a launch visits, and thereby the random draws; other
#: values give other tours of equal quality.
ACS_STEP_SECONDS = {"deferred": (1e-6, 0.25e-9), "racy": (1.5e-6, 0.4e-9), "lockstep": (6e-6, 3e-9)}
#: Number of threads in the only block, which deposits on the best tour.
REWARD_THREADS = 1024
#: Minimum number of warps that fill a block's table of weights: these may be more than the warps that walk, because
#: filling the table takes long.
FILLING_WARPS = 16
#: Minimum and maximum number of threads per block, with one block per ant.
ACS_BLOCK_THREADS = 32, 1024
#: Upper estimates of the seconds that a block takes for the barriers and reductions of a step, and for each round of
#: loads.
ACS_BLOCK_STEP_SECONDS, ACS_BLOCK_ROUND_SECONDS = 3e-6, 1e-6

# Held-Karp: python -m benchmarks held-karp -----------------------------------------------------------------------

#: Number of warps per block; a block's warps have a table of distances and a multiprocessor's registers in common.
HELD_KARP_WARPS = 8
#: Number of sums per launch and multiprocessor, which take about 10 ms: balances the cost of a launch against the delay
#: of a stop.
LAUNCH_SUMS = 1 << 28
#: Maximum number of sums per multiprocessor in a launch that computes several small layers.
SHARED_LAUNCH_SUMS = 1 << 26
#: Number of sums per multiprocessor between two waits for the launches of Qin and Han's layers; they take about 10 ms.
QIN_HAN_SUMS = 1 << 25

# The lower bound: python -m benchmarks bound -------------------------------------------------------------------

#: Minimum number of cities for which a GPU, if there is one, computes the bound; with fewer, a core finishes before a
#: GPU is ready.
BOUND_CITIES = 2000
#: Maximum number of blocks per multiprocessor in the ascent: more process more cities at a time, but barriers take
#: longer.
BOUND_BLOCKS = 1
#: Maximum number of distances per launch, which determines how long a slice of a proof takes.
BOUND_PAIRS = 1 << 32
#: Number of blocks per multiprocessor that search for shortest edges, and minimum number of cities in each segment that
#: they search.
BOUND_SEGMENT = 16, 32
