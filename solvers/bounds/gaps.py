"""The gap of a tour to a bound. Plain Python: pages and the command line import it."""


def above(length: int, bound: int) -> float | None:
    """How many percent a length is above a bound: at most so much is it above the optimum; None if it is undefined.

    Parameters
    ----------
    length, bound : int
    """
    if length == bound:
        return 0.0
    return None if bound <= 0 else 100 * (length - bound) / bound
