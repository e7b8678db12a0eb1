"""The page by which a class comes in, for a projector: `link` the address, `page` the HTML, `routes` serves it.

It is for the host of a shared server alone, plain HTML without an application of Dash's.
"""
