"""Reading coordinates from tables, and tours from plain lists."""
