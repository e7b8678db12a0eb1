"""Pictures as cities: `darkness` reads a picture, `stippling` places points where it is dark, `cities` makes the
instance.
"""
