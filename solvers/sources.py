"""Citations that several algorithms share."""

UCHIDA = (
    'A. Uchida, Y. Ito and K. Nakano, "An Efficient GPU Implementation of Ant Colony Optimization for the '
    'Traveling Salesman Problem" (2012)'
)
BITNER = 'S. Bitner, "ACOTSP" (2025)'
QIN_HAN = 'Y. Qin and D. Han, "Parallel TSP Solvers" (2022)'
