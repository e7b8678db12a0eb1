"""Constants tuned on a GPU, each with its trade-off and the command that measures it.

All of them were tuned on one NVIDIA H200 (compute capability 9.0, 132 multiprocessors). On other GPUs they give the
same results, but perhaps not the best speed. After a change, the command in a section's heading measures its effect,
and ``--json FILE`` saves the samples for a comparison. Run it on an otherwise idle GPU.

Plain Python: pages and variants may read it.

Constants that are part of a kernel's machine code stay beside the kernel: registers of a thread in
`solvers.algorithms.annealing.kernels.anneal_cuda` (``_OPTIONS``) and `solvers.algorithms.annealing.kernels.rounds_cuda`
(``REGISTERS``), and work of a round in `solvers.algorithms.annealing.kernels.chain_cuda` (``ROUND``); registers in
`solvers.algorithms.ants.ant_system.kernels.walk_queen_cuda` (``_REGISTERS``); loads in flight at a time in
`solvers.algorithms.ants.ant_system.kernels.roulette_cuda` (``LOADS``),
`solvers.algorithms.ants.ant_system.kernels.walk_worker_cuda` (``_LOADS``),
`solvers.algorithms.ants.acs.kernels.choice_block_cuda` (``LOADS``) and
`solvers.algorithms.ants.kernels.choice_warp_cuda` (``BATCH``); rows of a tile in
`solvers.algorithms.ants.kernels.pheromone_cuda` (``TILE_ROWS``); a tile's side in
`solvers.algorithms.two_opt.kernels.array_cuda` (``TILE``); moves after a scan in
`solvers.algorithms.two_opt.kernels.multi_move_cuda` (``MAX_MOVES``), rows checked one by one in
`solvers.algorithms.two_opt.kernels.strip_cuda` (``_ROWS``), columns between two checks in
`solvers.algorithms.two_opt.kernels.strip_geometry` (``STEP``); targets and sets of a warp in
`solvers.algorithms.held_karp.kernels.extend_cuda` (``_MAX_TARGETS``) and
`solvers.algorithms.held_karp.kernels.layer_cuda` (``_MAX_RUN``); pieces of a tour in
`solvers.algorithms.lin_kernighan.kernels.overlay_cuda` (``MAX_PIECES``, ``LOG_WORDS``), threads of a block and the
maximum number of exchanges that a kick evaluates in `solvers.algorithms.lin_kernighan.kernels.repair_cuda`
(``THREADS``, ``MAX_EVALUATED``). Those of `solvers.kernels.local_search_cuda` (``CITIES``, ``_ROUND``, ``MAX_WORK``,
``_BLOCKS``) also stay there, since shared kernels import only kernels.
"""

# All algorithms --------------------------------------------------------------------------------------------------
# python -m benchmarks two-opt-gpu; python -m benchmarks annealing; python -m benchmarks ant-system

#: Target seconds of a launch: balances the cost of a launch against the delay of updates and stops.
LAUNCH_SECONDS = 0.05
#: Seconds of the first launch, whose speed is unknown: shorter, for an early result.
FIRST_LAUNCH_SECONDS = 0.005

# 2-opt: python -m benchmarks two-opt-gpu -------------------------------------------------------------------------

#: Minimum number of scans of a climber in the first launch, before the speed is measured.
FIRST_SCANS = 1
#: Candidate numbers of positions per strip, with the maximum registers per thread of each: balances distances computed
#: twice against resident warps. Odd, so that the threads of a warp read different banks of shared memory.
STRIP_REGISTERS = {3: 64, 5: 72, 7: 80, 9: 96}
#: Cost in instructions of a warp, including waiting: of a distance, of a column without its distances, of a scan
#: without its columns. Balances long strips against many strips.
STRIP_DISTANCE, STRIP_COLUMN, STRIP_SCAN = 8, 24, 3000
#: Number of warps that hides half of each other's latency: balances large blocks against many blocks.
STRIP_HALF_HIDDEN = 5.0
#: Cities that a block scans in one launch of at most 100 ms, in the published variants.
MAX_SCAN_CITIES = 20_000
#: Registers per thread of `tile` and `tuned` according to the compiler, to count the blocks that fit.
TILE_REGISTERS = 40
#: Seconds of a measured launch in the trial of `tuned`, and the number of launches per candidate, of which the fastest
#: counts.
TRIAL_SECONDS, TRIAL_LAUNCHES = 0.003, 5
#: Assumed registers per thread of the variants with one climber per thread, until the compiler reports them.
THREAD_REGISTERS = 64
#: Threads of a block of `array`, and the number of climbers at a time: fills the GPU without too much memory.
ARRAY_THREADS, ARRAY_CLIMBERS = 256, 1024

# Lin-Kernighan: python -m benchmarks lin-kernighan-gpu ------------------------------------------------------------

#: Registers of a kicking thread: more warps to hide latency, against spills.
REPAIR_REGISTERS = 80
#: Kicks of the first launch, until the speed is measured; each later launch has at most four times as many as the one
#: before.
FIRST_KICKS = 1 << 14
#: Kicks per city of the first batch on one tour, and kicks of any batch: balances a full GPU against kicks that find
#: the same result or conflict. After a batch with fewer than one applied result in 2 ** FEW_RESULTS kicks, the next
#: batch is larger.
BATCH_KICKS, KICKS_PER_CITY, MAX_KICKS, FEW_RESULTS = 1 << 15, 64, 1 << 16, 11
#: Maximum number of exchanges that a kick may evaluate on a tour that is crossed later, since a launch lasts as long as
#: its longest kick; and the maximum number of kicks per city of such a tour in a batch.
POPULATION_EVALUATED, POPULATION_KICKS = 4000, 4
#: The same for large tours on all GPUs together: minimum kicks and kicks per city of the first batch, maximum of any
#: batch in all and per city, and the rate of applied results, one in 2 ** LARGE_FEW_RESULTS kicks, below which the next
#: batch is larger.
LARGE_BATCH, LARGE_KICKS_PER_CITY, LARGE_MAX_KICKS, LARGE_MAX_KICKS_PER_CITY = 1 << 17, 0.25, 1 << 19, 2
LARGE_FEW_RESULTS = 10
#: Minimum number of cities for which GPUs kick one half of the tour while cores apply the results of the other half.
#: This hides the time for applying results, but more results of a batch conflict on half a tour.
MIN_HALVED_CITIES = 150_000
#: One in this many kicks of a batch may lengthen the tour: enough to leave a local optimum, and few enough that the
#: others repair it.
LONGER_STRIDE = 64
#: Factor by which a kick may lengthen the tour more than on a core, because few kicks may lengthen it; maximum number
#: of cities of a tour that may become longer, because the best tour must then be stored.
HEAT_FACTOR, MAX_HEATED = 10, 50_000

# Simulated annealing: python -m benchmarks annealing -------------------------------------------------------------

#: Rounds of the first launch, until the speed is measured.
FIRST_ROUNDS = 256
#: Maximum number of resident chains of a multiprocessor: balances hidden latency against each chain's share of the
#: caches.
RESIDENT_CHAINS = 24
#: Maximum number of chains per core that wait for a core; with more, the GPU waits.
WAITING_CHAINS = 64

# Ant System and MAX-MIN Ant System: python -m benchmarks ant-system ----------------------------------------------

#: Threads of a block that processes one tour or row, and of the block that processes all ants.
TOUR_THREADS, ALL_THREADS = 128, 256
#: Maximum number of ants of a block: they share a table in shared memory but must start together.
BLOCK_ANTS = 16
#: Upper estimate of the seconds of an ant's step by a warp if few steps read a row: limits the ants of a launch.
WARP_STEP_SECONDS = 2.5e-6
#: Weights that all ants of a launch can read within 50 ms: with a warp per ant, if every other step reads a row, as at
#: the beginning of a run; with a block per ant, also in Ant Colony System; with a block per ant that stores visited
#: cities in registers.
WARP_READS, BLOCK_READS, QUEEN_READS = 35_000_000_000, 20_000_000_000, 6_000_000_000
#: Minimum number of ants of a launch: one per multiprocessor.
LAUNCH_ANTS = 132
#: Weights that one ant reads in a launch with a thread per ant, and ants of a launch: takes less than 100 ms.
WORKER_READS, WORKER_ANTS = 1 << 20, 1056
#: Weights that a colony's ants read in a launch with a block per colony: takes less than 100 ms on one multiprocessor.
COLONY_READS = 1 << 25
#: Minimum and maximum number of threads of a block per ant in Ant System: balances concurrent loads against barriers.
BLOCK_THREADS = 128, 512
#: Cities times ants, and launches, above which an iteration is divided, because it may take longer than a launch.
LONG_ITERATION, MANY_LAUNCHES = 20_000_000, 12
#: Maximum number of cities on a GPU: with more, even the minimum number of ants that keeps it busy would exceed 100 ms
#: per launch.
MAX_CITIES = 10_000

# Ant Colony System: python -m benchmarks acs ---------------------------------------------------------------------

#: Upper estimates of the seconds of a step, and of the additional seconds per city, by kind of local update: twice the
#: measured ones. They determine the number of cities per launch, and thereby the random draws; other values give other
#: tours of equal quality.
ACS_STEP_SECONDS = {"deferred": (1e-6, 0.25e-9), "racy": (1.5e-6, 0.4e-9), "lockstep": (6e-6, 3e-9)}
#: Threads of the single block that deposits on the best tour.
REWARD_THREADS = 1024
#: Minimum number of warps that fill a block's table of weights: may exceed the number of walking warps, because filling
#: the table takes long.
FILLING_WARPS = 16
#: Minimum and maximum number of threads of a block per ant.
ACS_BLOCK_THREADS = 32, 1024
#: Upper estimates of the seconds of a block's step: for barriers and reductions, and per round of loads.
ACS_BLOCK_STEP_SECONDS, ACS_BLOCK_ROUND_SECONDS = 3e-6, 1e-6

# Held-Karp: python -m benchmarks held-karp -----------------------------------------------------------------------

#: Warps of a block, which share a table of distances and the registers of a multiprocessor.
HELD_KARP_WARPS = 8
#: Sums per launch and multiprocessor, about 10 ms: balances the cost of a launch against the delay of a stop.
LAUNCH_SUMS = 1 << 28
#: Maximum sums per multiprocessor of several layers in one launch, which small layers share.
SHARED_LAUNCH_SUMS = 1 << 26
#: Sums per multiprocessor of the launches of Qin and Han's layers between two waits: about 10 ms.
QIN_HAN_SUMS = 1 << 25

# The lower bound: python -m benchmarks bound -------------------------------------------------------------------

#: Minimum number of cities for computing the bound on a GPU, if there is one; with fewer, a core finishes before a GPU
#: is ready.
BOUND_CITIES = 2000
#: Maximum number of blocks of the ascent per multiprocessor: balances more cities at a time against longer barriers.
BOUND_BLOCKS = 1
#: Maximum number of distances of a launch, which determine the duration of a slice of a proof.
BOUND_PAIRS = 1 << 32
#: Blocks per multiprocessor that search for shortest edges, and the minimum number of cities of one of their segments.
BOUND_SEGMENT = 16, 32
