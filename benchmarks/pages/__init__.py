"""Speed of the pages in a browser."""
