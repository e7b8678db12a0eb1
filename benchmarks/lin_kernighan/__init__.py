"""Lin-Kernighan: `cores` beside the package fast-tsp, `gpu` beside one core."""
