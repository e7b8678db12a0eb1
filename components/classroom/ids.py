"""Ids of the page by which a class comes in."""

JOINED = "joined"
OUTDATED = "outdated"
