"""Lessons: `lesson` is the model, `reading` parses files, `exercise` describes runs, `collection` lists lessons; and
their page.

These four modules do not use Dash.
"""
