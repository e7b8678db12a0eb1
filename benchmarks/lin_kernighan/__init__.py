"""Lin-Kernighan: `cores` compares with the package fast-tsp, `gpu` with one core."""
