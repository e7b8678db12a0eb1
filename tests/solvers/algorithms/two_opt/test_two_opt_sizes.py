"""The limits of the 2-opt variants on GPUs of different sizes: cities, threads, and bytes per move."""

from itertools import product

from solvers.algorithms.two_opt.launch_sizes import paper_threads, tuned_threads
from solvers.algorithms.two_opt.strip_launch import strip_rows, strip_threads
from solvers.algorithms.two_opt.variant import TwoOptVariant
from solvers.algorithms.two_opt.variants import CUDA_VARIANTS
from solvers.gpu.limits import H200, MINIMUM, Limits, count_resident_blocks
from tests.tables import each_row

VARIANTS = {variant.name: variant for variant in CUDA_VARIANTS}
TWO_ROWS = [variant.two_rows for variant in CUDA_VARIANTS if variant.two_rows is not None]
#: Multiprocessors as NVIDIA has them: 48 KB a block (6.1), 64 (T4, 7.5), 99 (8.6), 163 (A100, 8.0) and 227 (9.0).
GPUS = {
    48: Limits(20, 2048, 32, 65_536, 98_304, 49_152),
    64: Limits(40, 1024, 16, 65_536, 65_536, 65_536),
    99: Limits(82, 1536, 16, 65_536, 102_400, 101_376),
    163: Limits(108, 2048, 32, 65_536, 167_936, 166_912),
    227: H200,
}
EVERY_GPU = each_row("gpu", GPUS.values())


@each_row(("kib", "cities"), {48: 110, 64: 128, 99: 159, 163: 204, 227: 241}.items())
def test_matr_s_ends_where_the_matrix_fills_a_blocks_shared_memory(kib, cities):
    """O'Neil and Burtscher (2015), slide 10: 48 kB limit the problem to 110 cities."""
    gpu, matr_s = GPUS[kib], VARIANTS["matr_s"]
    assert matr_s.max_cities(gpu) == cities
    assert 4 * cities**2 <= gpu.shared_per_block < 4 * (cities + 1) ** 2
    assert matr_s.unavailable_reason("EUC_2D", cities, gpu) == ""
    assert matr_s.unavailable_reason("EUC_2D", cities + 1, gpu) == (
        f"matr_s takes at most {cities} cities on this device: its matrix takes 4 n² bytes, and a block may have "
        f"{kib} KB of shared memory."
    )


def test_key_idea_of_matr_s_holds_for_small_and_large_gpus():
    for kib in (48, 227):
        assert f"{VARIANTS['matr_s'].max_cities(GPUS[kib])} " in VARIANTS["matr_s"].key_idea
        assert f"{kib} KB" in VARIANTS["matr_s"].key_idea
    assert VARIANTS["matr_s"].max_cities(MINIMUM) == 110


@EVERY_GPU
@each_row("variant", [*CUDA_VARIANTS, *TWO_ROWS])
def test_largest_block_fits_the_gpu(variant: TwoOptVariant, gpu: Limits):
    most = variant.max_cities(gpu)
    assert most is not None
    for n in {variant.min_n, 21, 52, 100, 439, 1002, 5000, most}:
        if variant.min_n <= n <= most:
            threads = variant.threads(n, gpu, 1000) if variant.shares_out else variant.threads(n, gpu)
            assert threads % 32 == 0
            assert 32 <= threads <= 1024
            static = 0 if variant.per == "thread" else 1024
            assert variant.spills or variant.shared_bytes(n, threads, gpu) + static <= gpu.shared_per_block
    assert variant.limit_reason(gpu)
    assert "{" not in variant.limit_reason(gpu)


@each_row(("name", "kib", "why"), [
    ("original", 48, "48 KB"), ("original", 227, "outlast"), ("hundred-cities", 163, "163 KB"),
    ("strip", 48, "15 bits"), ("matr_g", 99, "matrix"), ("tuned", 64, "outlast"), ("array", 64, "array"),
])  # fmt: skip
def test_limits_reason_matches_this_gpu(name, kib, why):
    assert why in VARIANTS[name].limit_reason(GPUS[kib])


def test_two_rows_at_once_keep_tours_in_shared_memory_and_allow_fewer_cities():
    (bytes_,) = [each for each in TWO_ROWS if each.name == "matr_s"]
    assert [bytes_.max_cities(gpu) for gpu in GPUS.values()] == [106, 123, 155, 200, 237]
    for gpu in GPUS.values():
        most = bytes_.max_cities(gpu)
        assert bytes_.shared_bytes(most, 32, gpu) <= gpu.shared_per_block < bytes_.shared_bytes(most + 1, 32, gpu)


@EVERY_GPU
def test_matr_s_uses_the_block_with_most_resident_threads(gpu):
    for variant, n, registers in product(
        (VARIANTS["matr_s"], VARIANTS["matr_s"].two_rows), (20, 52, 100), (40, 64, 66)
    ):

        def resident(threads, n=n, variant=variant, registers=registers):
            return threads * count_resident_blocks(variant.shared_bytes(n, threads, gpu), threads, registers, gpu)

        sizes = [size for size in range(32, 1025, 32) if variant.shared_bytes(n, size, gpu) <= gpu.shared_per_block]
        chosen = variant.threads(n, gpu, registers)
        assert resident(chosen) == max(map(resident, sizes)) > 0
        assert chosen * (registers + -registers % 8) <= gpu.registers
    assert VARIANTS["matr_s"].threads(52, gpu) == VARIANTS["matr_s"].threads(52, gpu, 64)


@EVERY_GPU
def test_papers_rule_gives_at_most_i_threads(gpu):
    for n in (5, 100, 439, 1000, 5000, 18_512):
        assert tuned_threads(n, gpu) <= max(32, n + 31)


def test_blocks_of_utne_and_hansen_have_a_power_of_two_of_threads_up_to_1024():
    """Section 6.3.1: as many threads as moves, if a block allows it."""
    assert [paper_threads(n) for n in (3, 10, 30, 42, 100, 439)] == [32, 64, 512, 1024, 1024, 1024]


def test_papers_rule_depends_on_the_gpu():
    assert len({tuned_threads(1000, gpu) for gpu in GPUS.values()}) > 1


@EVERY_GPU
def test_strip_depends_on_the_gpu_and_multi_move_does_not(gpu):
    multi_move = VARIANTS["multi-move"]
    for n, climbers in ((100, 100_000), (1002, 50)):
        threads = multi_move.threads(n, gpu, climbers)
        assert threads == multi_move.threads(n, H200, climbers) == strip_threads(n, H200, climbers / 132)
        assert multi_move.options(n, threads, gpu) == {"rows": strip_rows(n, threads, H200)}
        strip = VARIANTS["strip"]
        assert strip.threads(n, gpu, climbers) == strip_threads(n, gpu, climbers / gpu.multiprocessors)
        assert strip.options(n, 64, gpu) == {"rows": strip_rows(n, 64, gpu)}


def test_bytes_per_move_match_the_lookups_of_a_scan():
    """With 32 bits, one row takes 3 look-ups (slide 9), two rows 5 for 2 moves, the flattened loop 4, and with its
    table 5."""
    answer = {name: variant.move_bytes for name, variant in VARIANTS.items() if variant.move_bytes}
    assert answer == {
        "matr_s": 12, "matr_g": 12, "matr_g_ro": 12, "array": 20, "original": 20, "hundred-cities": 20,
        "calculated": 16,
    }  # fmt: skip
    assert {each.name: each.move_bytes for each in TWO_ROWS} == {"matr_s": 10, "matr_g": 10, "matr_g_ro": 10, "calc": 0}
    assert all(bool(variant.move_bytes) == variant.reads_matrix for variant in [*CUDA_VARIANTS, *TWO_ROWS])
