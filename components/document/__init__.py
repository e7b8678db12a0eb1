"""The HTML that a browser gets first: `dash_page` around a page of Dash, `plain_page` where Dash is not needed; `pages`
makes those of Dash at the first request."""
