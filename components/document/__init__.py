"""HTML documents: `dash_page` for Dash's pages, `plain_page` for others; `pages` builds Dash pages on demand."""
