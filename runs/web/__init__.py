"""The server's routes, and who may use them."""
