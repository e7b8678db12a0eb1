"""Constants that were tuned on a card: what each balances, and the command that measures it.

All of them were tuned on one NVIDIA H200 (compute capability 9.0, 132 multiprocessors). Another card computes the same
with them, and may be slower than it could be; after a change, the command named in a section's head tells what it
brought, and ``--json FILE`` keeps the samples for a comparison. Run it on a card that nothing else uses.

Plain Python: pages and variants may read it.

What is part of a kernel's machine code stays where its kernel is: registers of a thread and work of a round in
`solvers.annealing.kernels.anneal_cuda` (``_OPTIONS``, ``ROUND``); registers in
`solvers.ants.ant_system.kernels.walk_queen_cuda` (``_REGISTERS``); loads under way at a time in
`solvers.ants.ant_system.kernels.roulette_cuda` (``LOADS``), `solvers.ants.ant_system.kernels.walk_worker_cuda`
(``_LOADS``), `solvers.ants.acs.kernels.choice_block_cuda` (``LOADS``) and `solvers.ants.kernels.choice_warp_cuda`
(``BATCH``); rows of a tile in `solvers.ants.kernels.pheromone_cuda` (``TILE_ROWS``); a tile's side in
`solvers.two_opt.kernels.array_cuda` (``TILE``); moves after a scan in `solvers.two_opt.kernels.multi_move_cuda`
(``MOST_MOVES``), rows looked up one by one in `solvers.two_opt.kernels.strip_cuda` (``_ROWS``), columns between two
looks in `solvers.two_opt.kernels.strip_geometry` (``STEP``); targets and sets of a warp in
`solvers.held_karp.kernels.extend_cuda` (``_MOST``) and `solvers.held_karp.kernels.layer_cuda` (``_RUN``). Those of
`solvers.kernels.local_search_cuda` (``CITIES``, ``_ROUND``, ``_LONGEST``, ``_BLOCKS``) stay there as well, since shared
kernels import nothing but kernels.
"""

# All algorithms --------------------------------------------------------------------------------------------------
# python -m benchmarks two-opt-gpu; python -m benchmarks annealing; python -m benchmarks ant-system

#: Seconds that a launch is meant to take: between what starting one costs and how soon a picture and an end come.
LAUNCH_SECONDS = 0.05
#: Seconds of the first launch, whose pace nobody knows: shorter, so that something is seen at once.
FIRST_LAUNCH_SECONDS = 0.005

# 2-opt: python -m benchmarks two-opt-gpu -------------------------------------------------------------------------

#: Scans that a climber may make in the first launch: the fewest, until the pace is measured.
FIRST_SCANS = 1
#: Positions of a strip that are tried, and the registers that a thread then has at most: fewer distances measured
#: twice, against fewer warps at a time. Odd: then the threads of a warp read different banks of shared memory.
STRIP_REGISTERS = {3: 64, 5: 72, 7: 80, 9: 96}
#: Instructions of a warp, waiting included: of a distance, of a column beside its distances, of a scan beside its
#: columns. They weigh long strips against many.
STRIP_DISTANCE, STRIP_COLUMN, STRIP_SCAN = 8, 24, 3000
#: Warps that hide half of the time that each of them waits: weighs large blocks against many.
STRIP_HALF_HIDDEN = 5.0
#: Cities that a block scans in one launch of at most 100 ms, in the published variants.
LONGEST_SCAN = 20_000
#: Registers of a thread of `tile` and `tuned`, as the compiler gives them, where the blocks that fit are counted.
TILE_REGISTERS = 40
#: Threads, blocks, registers and bytes of shared memory of a multiprocessor, by which `strip`, `multi-move` and
#: `tuned` choose their blocks: an H200's, so that all cards make the same choice.
MULTIPROCESSOR_THREADS, MULTIPROCESSOR_BLOCKS = 2048, 32
MULTIPROCESSOR_REGISTERS, MULTIPROCESSOR_SHARED = 65_536, 233_472
#: Threads of a block of `array`, and its climbers at a time: enough to fill the card, against the memory they take.
ARRAY_THREADS, ARRAY_CLIMBERS = 256, 1024

# Simulated annealing: python -m benchmarks annealing -------------------------------------------------------------

#: Rounds of the first launch, until the pace is measured.
FIRST_ROUNDS = 256
#: Chains that a multiprocessor has at a time, at most: what hides waiting, against the share of each in the caches.
RESIDENT_CHAINS = 24
#: Chains that wait for a core, for each of them, above which the card waits too.
WAITING_CHAINS = 64

# Ant System and MAX-MIN Ant System: python -m benchmarks ant-system ----------------------------------------------

#: Threads of a block that goes through a tour or a row, and of the one that looks at all ants.
TOUR_THREADS, ALL_THREADS = 128, 256
#: Most ants of a block: they share a table in shared memory, and wait for each other to be launched.
BLOCK_ANTS = 16
#: Seconds that a step of an ant by a warp takes at most, where a row is seldom read: bounds the ants of a launch.
WARP_STEP_SECONDS = 2.5e-6
#: Weights that all ants of a launch may read, so that it takes 50 ms: by a warp an ant, where every other step reads a
#: row, as at the beginning of a run; by a block an ant, for Ant Colony System as well; by one that remembers what is
#: visited in registers.
WARP_READS, BLOCK_READS, QUEEN_READS = 35_000_000_000, 20_000_000_000, 6_000_000_000
#: Ants of a launch at least: one for each multiprocessor.
LAUNCH_ANTS = 132
#: Weights that one ant reads in a launch by a thread an ant, and ants of a launch: none is to take 100 ms.
WORKER_READS, WORKER_ANTS = 1 << 20, 1056
#: The fewest and the most threads of a block that is an ant of Ant System: loads at a time, against barriers.
BLOCK_THREADS = 128, 512
#: Cities times ants, and launches, above which an iteration is told in parts, since it may take longer than a launch.
LONG_ITERATION, MANY_LAUNCHES = 20_000_000, 12
#: Cities that a card takes: of more, the fewest ants that keep it busy would walk for more than 100 ms in one launch.
MOST_CITIES = 10_000

# Ant Colony System: python -m benchmarks acs ---------------------------------------------------------------------

#: Seconds that a step takes at most, and more for each city, by the local update: twice what was measured. They say
#: how many cities a launch goes on by, and with that what is drawn: another number gives other tours of equal worth.
ACS_STEP_SECONDS = {"deferred": (1e-6, 0.25e-9), "racy": (1.5e-6, 0.4e-9), "lockstep": (6e-6, 3e-9)}
#: Threads of the one block that rewards the best tour.
REWARD_THREADS = 1024
#: Warps that fill a block's table of weights, at least: more than walk, where the table is what takes long.
FILLING_WARPS = 16
#: The fewest and the most threads of a block that is an ant.
ACS_BLOCK_THREADS = 32, 1024
#: An upper estimate of the seconds of a step by a block: barriers and reductions, and a round of loads.
ACS_BLOCK_STEP_SECONDS, ACS_BLOCK_ROUND_SECONDS = 3e-6, 1e-6

# Held-Karp: python -m benchmarks held-karp -----------------------------------------------------------------------

#: Warps of a block: they share a table of distances, and the registers of a multiprocessor.
HELD_KARP_WARPS = 8
#: Sums of a launch for each multiprocessor: some 10 ms, between what starting one costs and how soon a run can end.
LAUNCH_SUMS = 1 << 28
#: Sums of several layers that are worked on in one launch, for each multiprocessor: small layers share a launch.
SHARED_LAUNCH_SUMS = 1 << 26
