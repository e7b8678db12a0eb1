"""Choosing an instance, and bringing one's own.

`picker` is the menu, `dialog` the dialog of all instances, `section` all of it, `uploads` what becomes of a file,
`columns` which columns of a table are x and y, `references` instances as values of the menu.
"""
