"""Lessons and their page: `lesson` is the model, `reading` parses files, `exercise` describes runs.

These three modules do not use Dash.
"""
