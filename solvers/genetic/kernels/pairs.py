"""The pairs that a thread crosses, and its progress with the current one."""

#: Indices of a span: the current pair, the pair before which to stop, whether it has begun, the number of children
#: made, their total, its number of AB-cycles, and the best child (-1 for none). All are 0 at first.
PAIR, LAST, BEGUN, MADE, CHILDREN, CYCLES, BEST, SPAN = range(8)
