"""Lessons: `lesson` is the model, `reading` parses files, `exercise` runs, `collection` lists; and their page.

The first four need nothing of Dash.
"""
