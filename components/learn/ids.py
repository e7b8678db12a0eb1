"""Ids used only on the lessons' page, and by the scripts `assets/learn/*.js`."""

LIST = "lessons"  # all lessons
SHEET = "lesson-sheet"  # worksheet of the lesson in the address, shown instead of the list
UPLOAD, UPLOAD_NOTE = "lesson-upload", "lesson-upload-note"  # area for files, and the reason why a file was refused
