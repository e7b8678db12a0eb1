"""Host code that all CUDA solvers share.

`limits` has a device's resources and occupancy, `launch` a kernel launch as an object, `graph` several launches as one
CUDA graph, `kernel_cache` compiled kernels on disk, `capability` which GPUs can run a kernel, `calibration` the
constants that were tuned on one GPU, and `answer_cache` what a trial on this GPU chose. See docs/kernels.md.
"""
