"""Where the pages are."""

#: The pages by name, and their paths below that of the application.
PAGES = {"watch": "", "race": "race/", "study": "study/", "library": "library/", "papers": "papers/", "learn": "learn/"}
#: The path of the page by which a class comes in (`components.classroom`).
CLASS = "class/"
