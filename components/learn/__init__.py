"""Lessons: `lesson` what one is, `reading` its file, `exercise` its runs, `collection` all that there are; their page.

The first four need nothing of Dash.
"""
