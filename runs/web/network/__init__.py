"""Network addresses: `own_host` is this machine's address, `forwarded` reads the headers of a proxy."""
