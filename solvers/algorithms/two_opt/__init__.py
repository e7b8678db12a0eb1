"""2-opt with random restarts (Croes, 1958), on the CPU and on GPUs, in published variants and our own.

`variants` contains this program's own variants and the table of all variants, `variants_published` those of two papers.
On the CPU: `cpu` (one worker per thread), `reporter` (reports climbs in order of their indices). On CUDA: `cuda` (a run
on one or all GPUs), `climbs_cuda` (arrays and launches of one GPU), `array_climbs_cuda` (the same for the variant
``array``), `batch_cuda` (the result of a launch), `layout_cuda` (threads, blocks, memory and their limits),
`reporter_cuda` (turns launches into events).
"""
