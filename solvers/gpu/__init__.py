"""Host code that all CUDA solvers share.

`limits` describes a device's resources and how many blocks fit, `launch` is a kernel launch as an object, `graph`
several launches as one CUDA graph. `kernel_cache` stores compiled kernels on disk, `shipped` finds those that come with
the package. `capability` decides which GPUs can run a kernel, `calibration` contains constants tuned on one GPU, and
`answer_cache` stores the results of trials on this GPU. `peaks` computes a GPU's peak rates, `energy` measures its
energy. See docs/kernels.md.
"""
