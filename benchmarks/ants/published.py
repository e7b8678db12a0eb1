"""What others published of Ant System and its kin, and what their codes need on the card that ours are measured on.

Milliseconds an iteration unless said, with as many ants as cities, alpha 1, beta 2, rho 0.5.
"""

from dataclasses import dataclass

#: The instances that papers and peers were measured on.
INSTANCES = ("d198", "a280", "lin318", "pcb442", "rat783", "pr1002", "pr2392")
_UCHIDA = "A. Uchida, Y. Ito and K. Nakano (2012)"
_BITNER = "S. Bitner (2025)"
_GTX, _I7, _TITAN, _H200 = "GTX 580", "Core i7 860, one core", "Titan V", "H200"


@dataclass(frozen=True, slots=True)
class Published:
    """A row of a table.

    Attributes
    ----------
    name, source, machine : str
    figures : tuple of float or None
        An instance each, in the order of `INSTANCES`; those at the end may be missing.
    """

    name: str
    source: str
    machine: str
    figures: tuple[float | None, ...]

    def of(self, instance: str) -> float | None:
        """The figure of an instance, if there is one."""
        return dict(zip(INSTANCES, self.figures, strict=False)).get(instance)


#: Table I of Uchida et al.: construction on pr1002, by selection.
SELECTIONS = {
    "without-compression": 235.43,
    "with-compression": 217.94,
    "stochastic-trial": 96.37,
    "hybrid": 86.43,
}
_CPU_TOURS = (19.84, 47.05, 95.15, 180.61, 1215.31, 3784.43, 58452.20)
_CPU_UPDATE = (0.963, 1.384, 2.797, 4.692, 16.770, 34.877, 222.762)
#: Tables II and III: construction by hybrid, and the update of the pheromone.
CONSTRUCTION = (
    Published("hybrid", f"{_UCHIDA}, table II", _GTX, (2.58, 4.95, 8.86, 11.35, 56.38, 86.43, 2078.98)),
    Published("CPU", f"{_UCHIDA}, table II", _I7, _CPU_TOURS),
)
UPDATE = (
    Published("update", f"{_UCHIDA}, table III", _GTX, (0.036, 0.060, 0.070, 0.113, 0.320, 0.520, 5.411)),
    Published("CPU", f"{_UCHIDA}, table III", _I7, _CPU_UPDATE),
)
#: Both together.
CPU = Published(
    "tours and update", f"{_UCHIDA}, tables II and III", _I7,
    tuple(tours + update for tours, update in zip(_CPU_TOURS, _CPU_UPDATE, strict=True)),
)  # fmt: skip
#: Table IV: milliseconds of the beginning and 100 iterations.
HUNDRED = (
    Published(
        "hybrid", f"{_UCHIDA}, table IV", _GTX, (263.91, 505.51, 897.29, 1153.95, 5673.15, 8706.32, 208478.18)
    ),
    Published(
        "CPU", f"{_UCHIDA}, table IV", _I7,
        (2080.72, 4844.59, 9797.03, 18534.37, 123220.58, 381949.72, 5867605.87),
    ),
)  # fmt: skip
#: Text to figure 8: share of the cities, in per cent, that were decided within so many trials.
WITHIN = {1: 50.0, 5: 84.0, 32: 90.0}
#: Table 1 of Bitner: means of 1,000 iterations.
ANTS = (
    Published("worker", f"{_BITNER}, table 1", _TITAN, (2.36, 4.74, 5.47, 11.59, 37.73, 102.62)),
    Published("worker, graph", f"{_BITNER}, table 1", _TITAN, (2.33, 4.69, 5.42, 11.53, 37.71, 101.51)),
    Published("queen", f"{_BITNER}, table 1", _TITAN, (2.55, 4.76, 5.41, 11.18, 32.97, 54.78)),
    Published("queen, graph", f"{_BITNER}, table 1", _TITAN, (2.51, 4.71, 5.37, 11.08, 31.94, 52.73)),
)
#: Table 2: kernel by kernel, under the names of `solvers.events.Phases`.
KERNELS = (
    Published("choice", f"{_BITNER}, table 2", _TITAN, (0.13, 0.18, 0.17, 0.27, 0.62, 0.97)),
    Published("construction, worker", f"{_BITNER}, table 2", _TITAN, (2.29, 4.67, 5.39, 11.49, 37.56, 102.38)),
    Published("construction, queen", f"{_BITNER}, table 2", _TITAN, (2.48, 4.68, 5.33, 11.87, 32.80, 54.54)),
    Published("update", f"{_BITNER}, table 2", _TITAN, (0.16, 0.19, 0.21, 0.27, 0.63, 0.97)),
    Published("best", f"{_BITNER}, table 2", _TITAN, (0.58, 0.57, 0.60, 0.56, 0.62, 0.62)),
)
#: Other codes for Ant System, built and run on one H200 (CUDA 13.0, nvcc -O3 -arch=sm_90, faster of strict and
#: -use_fast_math, 20 November 2026), and the totals of table IV over their 100 iterations.
PEERS = (
    Published(
        "Uchida et al., hybrid", f"{_UCHIDA}, table IV / 100", _GTX, (2.64, 5.06, 8.97, 11.5, 56.7, 87.1, 2085.0)
    ),
    Published("Bitner, best of worker and queen", f"{_BITNER}, table 1", _TITAN, (2.33, 4.69, 5.37, 11.1, 31.9, 52.7)),
    Published("AcoTsp, warp an ant, full roulette", "blackwut/AcoTsp", _H200,
              (0.322, 0.535, 0.617, 0.988, 2.48, 3.49, 31.3)),
    Published("MIMUW course, queen", "course codes, University of Warsaw", _H200, (1.34, 2.30, 2.87, 4.98, 13.7, 21.5)),
    Published("MIMUW course, worker", "the same; pr1002: more than 150", _H200, (7.30, 14.9, 19.4, 37.3, 118.0)),
)  # fmt: skip
_SKINDEROWICZ = "R. Skinderowicz, GPU-based MMAS"
#: Seconds of an iteration by table 1 of Qin and Han, 2,048 cities; how many ants it does not say.
QIN_HAN_ITERATION = {
    "one thread, EPYC 7742 (Y. Qin and D. Han (2022), table 1)": 578.0,
    "64 threads, EPYC 7742 (Y. Qin and D. Han (2022), table 1)": 13.2,
    "RTX 2080 (Y. Qin and D. Han (2022), table 1)": 0.105,
}
QIN_HAN_PEER = Published(
    "Ant Colony System", "Y. Qin and D. Han (2022)", _H200, (0.399, 0.578, 0.658, 1.56, 3.45, 6.31, 51.4)
)
#: Codes for MAX-MIN Ant System, on the same card, and Ant Colony System.
MAX_MIN_PEERS = (
    Published("GPU MMAS, every city", _SKINDEROWICZ, _H200, (0.220, 0.356, 0.438, 0.765, 2.16, 3.42, 19.6)),
    Published("GPU MMAS, 32 candidates", _SKINDEROWICZ, _H200, (0.172, 0.203, 0.227, 0.294, 0.568, 0.757, 2.31)),
    Published("GPU MMAS, 2-opt", _SKINDEROWICZ, _H200, (0.499, 0.558, 0.660, 0.962, 1.48, 1.82, 8.60)),
    QIN_HAN_PEER,
)
#: Lengths after 100 iterations of `GPU MMAS, 2-opt`.
MAX_MIN_LENGTHS = Published(
    "GPU MMAS, 2-opt", _SKINDEROWICZ, _H200, (15_798, 2_579, 42_091, 51_254, 8_980, 264_507, 391_744)
)
