"""How quick the pages are, in a browser."""
