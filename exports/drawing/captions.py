"""The texts written on pictures."""

from data.gaps import gap_percent
from data.instance import Instance
from data.number_text import integer, percent
from solvers.result import describe_missing_edges


def describe_gap(length: int, instance: Instance) -> str:
    """Describe a length's gap, such as "optimal" or "12.9 % above optimal"; empty without a known optimum.

    A tour that uses missing edges has no gap; the result is their number.
    """
    if uses := describe_missing_edges(instance, length):
        return uses
    if instance.optimum is None:
        return ""
    reference = "optimal" if instance.proven else "best known"
    if length == instance.optimum:
        return reference
    gap = gap_percent(length, instance.optimum)
    size = integer(abs(length - instance.optimum)) if gap is None else percent(abs(gap))
    return f"{size} {'above' if length > instance.optimum else 'below'} {reference}"


def join_parts(*parts: str) -> str:
    """Join the nonempty parts of a line of text."""
    return " \u00b7 ".join(part for part in parts if part)
