"""Which pairs a thread crosses, and how far it has come with one of them."""

#: Indices of a span: the current pair, the pair before which to stop, whether it has begun, how many of its children
#: have been made, how many there will be, its AB-cycles, and the child to keep (-1 for none). All are 0 at first.
PAIR, LAST, BEGUN, MADE, CHILDREN, CYCLES, BEST, SPAN = range(8)
