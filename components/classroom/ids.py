"""Ids of the join link page and the page with all runs."""

JOINED = "joined"
OUTDATED = "outdated"

# all runs
INSTANCE = "class-instance"  # the menu of instances
ROWS = "class-rows"
NONE = "class-none"  # shown while there are no runs
NAME_FORM = "class-name-form"
NAME = "class-name"
NAME_SENTENCE = "class-name-sentence"
