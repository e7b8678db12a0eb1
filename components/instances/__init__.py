"""The choice of an instance, and uploads.

`picker` is the menu, `dialog` the dialog of all instances, `section` joins them, `uploads` handles uploaded files,
`columns` asks which columns of a table are x and y, `references` converts instance references to menu values.
"""

#: Name of the instance with which Watch starts.
DEFAULT = "berlin52"
