"""Citations that several algorithms share."""

UCHIDA = (
    'A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the '
    'Traveling Salesman Problem" (2012)'
)
BITNER = 'S. Bitner, "ACOTSP" (2025)'
UTNE_HANSEN = 'J. Utne and H. N. W. Hansen, "Solving TSP on the GPU based on heuristic algorithms" (2023)'
QIN_HAN = 'Y. Qin and D. Han, "Parallel TSP Solvers" (2022)'
BAI = 'H. Bai, D. OuYang, X. Li, L. He and H. Yu, "MAX-MIN Ant System on GPU with CUDA" (2009)'
CECILIA = (
    'J. M. Cecilia, J. M. García, A. Nisbet, M. Amos and M. Ujaldón, "Enhancing Data Parallelism for Ant Colony '
    'Optimization on GPUs" (2013)'
)
