"""Ids of the list of a race's lanes or a study's entries, and of the dialog that edits one of them."""

LIST = "item-list"
ADD = "item-add"
EDITED = "item-edited"  # store: the item in the dialog, or None; see `several.form_state`
FORM = "item-form"
TITLE = "item-title"
CLOSE = "item-close"
NOTE = "item-note"
START_TOUR = "start-tour"  # algorithm of the start tour
USE = "item-use"
