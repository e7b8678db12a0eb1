"""Ids of the page with the join link, and of the page of all runs."""

JOINED = "joined"
OUTDATED = "outdated"

# all runs
INSTANCE = "class-instance"  # the menu of instances
ROWS = "class-rows"
NONE = "class-none"  # shown while there are no runs
NAME_FORM = "class-name-form"
NAME = "class-name"
NAME_SENTENCE = "class-name-sentence"
