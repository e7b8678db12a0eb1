"""2-opt with random restarts (Croes, 1958), on cores and in every published way on CUDA."""
