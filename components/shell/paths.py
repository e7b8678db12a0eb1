"""Paths of the pages."""

#: Names of the pages, and their paths below the application's.
PAGES = {"watch": "", "race": "race/", "study": "study/", "library": "library/", "papers": "papers/", "learn": "learn/"}
#: Path of the page with the join link for a class (`components.classroom`).
CLASS = "class/"
