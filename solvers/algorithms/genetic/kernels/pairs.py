"""The range of pairs that a thread crosses, and its progress with the current pair."""

#: Indices of a span: the current pair, and the pair before which to stop. For the current pair: whether it has begun,
#: the number of children made, the number to make, the number of AB-cycles, and the best child (-1 for none). All are 0
#: at first.
PAIR, LAST, HAS_BEGUN, CHILDREN_MADE, CHILDREN, CYCLES, BEST, SPAN = range(8)
