"""Every id that only the lessons' page has, once; the scripts `assets/learn/*.js` use the same ids."""

LIST = "lessons"  # all lessons
SHEET = "lesson-sheet"  # the worksheet of the lesson that the address names, in their place
