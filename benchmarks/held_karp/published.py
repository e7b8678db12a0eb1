"""What Qin and Han (2022) published of Held-Karp, and what their code takes on the card that ours is measured on."""

_PAPER = "Y. Qin and D. Han (2022)"
#: Milliseconds by number of cities. Table 1, and what their text and figure 3 tell of an RTX 2080.
ONE_CORE = (f"one thread, EPYC 7742 ({_PAPER}, table 1)", {20: 107_000.0})
MANY_CORES = (f"64 threads, EPYC 7742 ({_PAPER}, table 1)", {20: 2_300.0})
RTX_2080 = (f"RTX 2080 ({_PAPER}, table 1 and figure 3)", {20: 5.7, 27: 1_800.0})
#: Their CUDA code, built and run on one H200 (20 November 2026): it ends at 30 cities.
H200 = (f"H200 (code of {_PAPER})", {10: 0.15, 15: 0.31, 20: 1.70, 25: 94.0, 27: 543.0})
ALL = (ONE_CORE, MANY_CORES, RTX_2080, H200)
