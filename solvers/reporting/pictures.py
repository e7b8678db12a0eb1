"""After which iterations a run has pictures: of trails and ants, of the tours of a population."""

#: There is a picture after every iteration up to the first number, then the second number of times per doubling.
_EVERY_ITERATION, _PER_DOUBLING = 64, 32


def next_picture(iteration: int) -> int:
    """The next iteration after which there is a picture: each of the first ones, then a fixed number per doubling."""
    later = iteration + 1
    step = 1 if later < _EVERY_ITERATION else (1 << (later.bit_length() - 1)) // _PER_DOUBLING
    return -(-later // step) * step
