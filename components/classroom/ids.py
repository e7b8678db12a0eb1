"""Ids of the page by which a class comes in, and of that of everybody's runs."""

JOINED = "joined"
OUTDATED = "outdated"

# everybody's runs
INSTANCE = "class-instance"  # the choice of an instance
ROWS = "class-rows"
NONE = "class-none"  # says that there is no run yet
