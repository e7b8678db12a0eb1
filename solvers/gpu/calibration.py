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
`solvers.algorithms.lin_kernighan.kernels.overlay_cuda` (``MAX_PIECES``, ``LOG_WORDS``), threads per block and the
maximum number of exchanges that a kick evaluates in `solvers.algorithms.lin_kernighan.kernels.repair_cuda`
(``THREADS``, ``MAX_EVALUATED``). The constants of `solvers.kernels.local_search_cuda` (``CITIES``, ``_ROUND``,
``MAX_WORK``, ``_BLOCKS``) also stay there, since shared kernels import only kernels.
"""

# All algorithms --------------------------------------------------------------------------------------------------
# python -m benchmarks two-opt-gpu; python -m benchmarks annealing; python -m benchmarks ant-system

#: Target seconds per launch: balances the cost of a launch against the delay of updates and stops.
LAUNCH_SECONDS = 0.05
#: Seconds of the first launch: short, because its speed is unknown and an early result is wanted.
FIRST_LAUNCH_SECONDS = 0.005

# 2-opt: python -m benchmarks two-opt-gpu -------------------------------------------------------------------------

#: Minimum number of scans that a climber makes in the first launch, before the speed is measured.
FIRST_SCANS = 1
#: Numbers of positions per strip to choose from, each with its maximum registers per thread: balances distances that
#: are computed twice against resident warps. The numbers are odd, so that the threads of a warp read different banks of
#: shared memory.
STRIP_REGISTERS = {3: 64, 5: 72, 7: 80, 9: 96}
#: Cost of a distance, of a column without its distances, and of a scan without its columns, in instructions of a warp
#: including waiting. Balances long strips against many strips.
STRIP_DISTANCE, STRIP_COLUMN, STRIP_SCAN = 8, 24, 3000
#: Number of warps with which half of the latency is hidden: balances large blocks against many blocks.
STRIP_HALF_HIDDEN = 5.0
#: Number of cities that a block of the published variants scans in one launch of at most 100 ms.
MAX_SCAN_CITIES = 20_000
#: Number of registers per thread of `tile` and `tuned`, as reported by the compiler; decides how many blocks fit.
TILE_REGISTERS = 40
#: Seconds of a measured launch in the trial of `tuned`, and number of launches per candidate, of which only the fastest
#: counts.
TRIAL_SECONDS, TRIAL_LAUNCHES = 0.003, 5
#: Assumed number of registers per thread of the variants with one climber per thread, until the compiler reports it.
THREAD_REGISTERS = 64
#: Number of threads per block of `array`, and of climbers at a time: fills the GPU without taking too much memory.
ARRAY_THREADS, ARRAY_CLIMBERS = 256, 1024

# Lin-Kernighan: python -m benchmarks lin-kernighan-gpu ------------------------------------------------------------

#: Number of registers of a thread that kicks: balances more warps, which hide latency, against spills.
REPAIR_REGISTERS = 80
#: Number of kicks in the first launch, before the speed is measured. Each later launch has at most four times as many
#: kicks as the one before.
FIRST_KICKS = 1 << 14
#: For a single tour: the maximum number of kicks of the first batch, of kicks per city in any batch, and of kicks in
#: any batch. They balance a full GPU against kicks that find the same result or conflict. If fewer than one in 2 **
#: FEW_RESULTS kicks of a batch has a result that is applied, the next batch is larger.
BATCH_KICKS, KICKS_PER_CITY, MAX_KICKS, FEW_RESULTS = 1 << 15, 64, 1 << 16, 11
#: Limits for a tour that is crossed later: the number of exchanges that a kick may evaluate, since a launch lasts as
#: long as its longest kick, and the number of kicks per city in a batch.
POPULATION_EVALUATED, POPULATION_KICKS = 4000, 4
#: For large tours that all GPUs kick together: the minimum number of kicks of the first batch, and its kicks per city;
#: the maximum number of kicks of any batch, in total and per city. If fewer than one in 2 ** LARGE_FEW_RESULTS kicks
#: has a result that is applied, the next batch is larger.
LARGE_BATCH, LARGE_KICKS_PER_CITY, LARGE_MAX_KICKS, LARGE_MAX_KICKS_PER_CITY = 1 << 17, 0.25, 1 << 19, 4
LARGE_FEW_RESULTS = 10
#: Minimum number of cities for which GPUs kick one half of the tour while cores apply the results of the other half.
#: This hides the time for applying results, but more results of a batch conflict on half a tour.
MIN_HALVED_CITIES = 150_000
#: One in this many kicks of a batch may lengthen the tour: enough to leave a local optimum, and few enough that the
#: others repair it.
LONGER_STRIDE = 64
#: How much more a kick may lengthen the tour than on a core, as a factor, since only few kicks may; and the maximum
#: number of cities of a tour that may become longer, since its best version must then be stored as well.
HEAT_FACTOR, MAX_HEATED = 10, 50_000

# Simulated annealing: python -m benchmarks annealing -------------------------------------------------------------

#: Number of rounds in the first launch, before the speed is measured.
FIRST_ROUNDS = 256
#: Maximum number of chains that are resident on a multiprocessor: balances hidden latency against each chain's share of
#: the caches.
RESIDENT_CHAINS = 24
#: Maximum number of chains per core that wait for a core; if more wait, the GPU waits, too.
WAITING_CHAINS = 64

# Ant System and MAX-MIN Ant System: python -m benchmarks ant-system ----------------------------------------------

#: Number of threads in a block that processes one tour or row, and in the block that processes all ants.
TOUR_THREADS, ALL_THREADS = 128, 256
#: Maximum number of ants per block: they share a table in shared memory, but must start together.
BLOCK_ANTS = 16
#: Upper estimate of the seconds that a warp takes for an ant's step if few steps read a row: limits the ants of a
#: launch.
WARP_STEP_SECONDS = 2.5e-6
#: Numbers of weights that all ants of a launch can read within 50 ms. `WARP_READS`: with a warp per ant, if every other
#: step reads a row, as at the beginning of a run. `BLOCK_READS`: with a block per ant, also in Ant Colony System.
#: `QUEEN_READS`: with a block per ant that stores visited cities in registers.
WARP_READS, BLOCK_READS, QUEEN_READS = 35_000_000_000, 20_000_000_000, 6_000_000_000
#: Minimum number of ants per launch: one per multiprocessor.
LAUNCH_ANTS = 132
#: Number of weights that an ant reads in a launch with one thread per ant, and number of ants of such a launch, which
#: then takes less than 100 ms.
WORKER_READS, WORKER_ANTS = 1 << 20, 1056
#: Number of weights that a colony's ants read in a launch with one block per colony, which then takes less than 100 ms
#: on one multiprocessor.
COLONY_READS = 1 << 25
#: Minimum and maximum number of threads per block in Ant System, with one block per ant: balances concurrent loads
#: against barriers.
BLOCK_THREADS = 128, 512
#: Product of cities and ants, and number of launches, above which an iteration is divided, because it may take too long
#: for one launch.
LONG_ITERATION, MANY_LAUNCHES = 20_000_000, 12
#: Maximum number of cities on a GPU: with more, even the smallest number of ants that keeps it busy would take more
#: than 100 ms per launch.
MAX_CITIES = 10_000

# Ant Colony System: python -m benchmarks acs ---------------------------------------------------------------------

#: Upper estimates of the seconds of a step, and of the additional seconds per city, for each kind of local update:
#: twice the measured times. They determine how many cities a launch visits, and thereby the random draws; other values
#: give other tours of equal quality.
ACS_STEP_SECONDS = {"deferred": (1e-6, 0.25e-9), "racy": (1.5e-6, 0.4e-9), "lockstep": (6e-6, 3e-9)}
#: Number of threads in the single block that deposits on the best tour.
REWARD_THREADS = 1024
#: Minimum number of warps that fill a block's table of weights: there may be more of them than walking warps, because
#: filling the table takes long.
FILLING_WARPS = 16
#: Minimum and maximum number of threads per block, with one block per ant.
ACS_BLOCK_THREADS = 32, 1024
#: Upper estimates of the seconds that a block takes for the barriers and reductions of a step, and for each round of
#: loads.
ACS_BLOCK_STEP_SECONDS, ACS_BLOCK_ROUND_SECONDS = 3e-6, 1e-6

# Held-Karp: python -m benchmarks held-karp -----------------------------------------------------------------------

#: Number of warps per block; they share a table of distances and the registers of a multiprocessor.
HELD_KARP_WARPS = 8
#: Number of sums per launch and multiprocessor, about 10 ms: balances the cost of a launch against the delay of a stop.
LAUNCH_SUMS = 1 << 28
#: Maximum number of sums per multiprocessor in a launch that computes several small layers.
SHARED_LAUNCH_SUMS = 1 << 26
#: Number of sums per multiprocessor between two waits for the launches of Qin and Han's layers: about 10 ms.
QIN_HAN_SUMS = 1 << 25

# The lower bound: python -m benchmarks bound -------------------------------------------------------------------

#: Minimum number of cities for which a GPU, if there is one, computes the bound; with fewer, a core finishes before a
#: GPU is ready.
BOUND_CITIES = 2000
#: Maximum number of blocks per multiprocessor in the ascent: balances more cities at a time against longer barriers.
BOUND_BLOCKS = 1
#: Maximum number of distances per launch, which determines how long a slice of a proof takes.
BOUND_PAIRS = 1 << 32
#: Number of blocks per multiprocessor that search for shortest edges, and minimum number of cities in each segment that
#: they search.
BOUND_SEGMENT = 16, 32
