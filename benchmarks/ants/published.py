"""Published results on Ant System and its variants, and results of the authors' codes on our GPU.

Milliseconds per iteration unless stated otherwise, with as many ants as cities, alpha 1, beta 2, rho 0.5.
"""

from dataclasses import dataclass

from papers.catalogue import load_paper
from papers.model import Paper

#: Instances used in papers and by other programs.
INSTANCES = ("d198", "a280", "lin318", "pcb442", "rat783", "pr1002", "pr2392")
_UCHIDA = "A. Uchida, Y. Ito and K. Nakano (2012)"
_BITNER = "S. Bitner (2025)"
_UCHIDA_PAPER, _BITNER_PAPER, _QIN_HAN_PAPER = map(load_paper, ("uchida", "bitner", "qin-han"))
_GTX, _I7, _TITAN, _H200 = "GTX 580", "Core i7 860, one core", "Titan V", "H200"


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """A row of a table.

    Attributes
    ----------
    name, source, machine : str
    figures : tuple of float or None
        Figure of each instance in the order of `INSTANCES`; the last ones may be missing.
    """

    name: str
    source: str
    machine: str
    figures: tuple[float | None, ...]

    def find(self, instance: str) -> float | None:
        """Return the figure of an instance, if there is one."""
        return dict(zip(INSTANCES, self.figures, strict=False)).get(instance)


def _read_figures(paper: Paper, entry: str, column: str = "", row: str = "") -> tuple[float | None, ...]:
    """Return the figures of a paper's table in the order of `INSTANCES`, which are its rows or its columns."""
    results = paper.entry(entry).figures()
    return tuple(results[row].get(name) if row else results.get(name, {}).get(column) for name in INSTANCES)


#: Tables II and III of Uchida et al.: construction and update of the pheromone together.
CPU = PublishedRow(
    "tours and update", f"{_UCHIDA}, tables II and III", _I7,
    tuple(
        (tours or 0) + (update or 0)
        for tours, update in zip(
            *(_read_figures(_UCHIDA_PAPER, table, "CPU") for table in ("table-ii", "table-iii")), strict=True
        )
    ),
)  # fmt: skip
#: Table IV: milliseconds of the set-up and 100 iterations.
HUNDRED = tuple(
    PublishedRow(name, f"{_UCHIDA}, table IV", machine, _read_figures(_UCHIDA_PAPER, "table-iv", column))
    for name, machine, column in (("hybrid", _GTX, "GPU"), ("CPU", _I7, "CPU"))
)
#: Table 1 of Bitner, worker and queen: means of 1,000 iterations.
_ANTS = [_read_figures(_BITNER_PAPER, "table-1", row=row) for row in _BITNER_PAPER.entry("table-1").figures()]
#: Other codes for Ant System, built and run on one H200 (CUDA 13.0, nvcc -O3 -arch=sm_90, the faster of strict and
#: -use_fast_math, 20 November 2026), and the totals of table IV divided by their 100 iterations.
PEERS = (
    PublishedRow(
        "Uchida et al., hybrid", f"{_UCHIDA}, table IV / 100", _GTX,
        tuple(None if figure is None else figure / 100 for figure in HUNDRED[0].figures),
    ),
    PublishedRow(
        "Bitner, best of worker and queen", f"{_BITNER}, table 1", _TITAN,
        tuple(
            min((each for each in of if each is not None), default=None)
            for of in zip(*_ANTS, strict=True)
        ),
    ),
    PublishedRow("AcoTsp, warp an ant, full roulette", "blackwut/AcoTsp", _H200,
                 (0.322, 0.535, 0.617, 0.988, 2.48, 3.49, 31.3)),
    PublishedRow("MIMUW course, queen", "course codes, University of Warsaw", _H200,
                 (1.34, 2.30, 2.87, 4.98, 13.7, 21.5)),
    PublishedRow("MIMUW course, worker", "the same; pr1002: more than 150", _H200, (7.30, 14.9, 19.4, 37.3, 118.0)),
)  # fmt: skip
_SKINDEROWICZ = "R. Skinderowicz, GPU-based MMAS"
QIN_HAN_PEER = PublishedRow(
    "Ant Colony System", "Y. Qin and D. Han (2022)", _H200, (0.399, 0.578, 0.658, 1.56, 3.45, 6.31, 51.4)
)
#: Codes for MAX-MIN Ant System on the same GPU, and for Ant Colony System.
MAX_MIN_PEERS = (
    PublishedRow("GPU MMAS, every city", _SKINDEROWICZ, _H200, (0.220, 0.356, 0.438, 0.765, 2.16, 3.42, 19.6)),
    PublishedRow("GPU MMAS, 32 candidates", _SKINDEROWICZ, _H200, (0.172, 0.203, 0.227, 0.294, 0.568, 0.757, 2.31)),
    PublishedRow("GPU MMAS, 2-opt", _SKINDEROWICZ, _H200, (0.499, 0.558, 0.660, 0.962, 1.48, 1.82, 8.60)),
    QIN_HAN_PEER,
)
#: Lengths after 100 iterations of `GPU MMAS, 2-opt`.
MAX_MIN_LENGTHS = PublishedRow(
    "GPU MMAS, 2-opt", _SKINDEROWICZ, _H200, (15_798, 2_579, 42_091, 51_254, 8_980, 264_507, 391_744)
)
