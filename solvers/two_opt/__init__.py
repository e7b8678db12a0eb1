"""2-opt with random restarts (Croes, 1958), on cores and on CUDA as published and in variants of this program.

`variants` has this program's own variants and the table of all, `variants_published` those of two papers. On the CPU:
`cpu` (one worker a thread), `reporter` (climbs in the order of their index). On CUDA: `cuda` (a run on one GPU or on
all), `climbs_cuda` (arrays and launches of one GPU), `array_climbs_cuda` (the same for the variant ``array``),
`batch_cuda` (what a launch reports), `layout_cuda` (threads, blocks, memory, and what does not fit), `reporter_cuda`
(launches turned into events).
"""
