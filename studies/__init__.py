"""Studies: many runs, instances by algorithms by seeds, in the background, in one file, with statistics."""
