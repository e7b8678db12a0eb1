"""HTML documents of pages: `dash_page` for pages of Dash, `plain_page` for others; `pages` builds Dash pages on their
first request.
"""
