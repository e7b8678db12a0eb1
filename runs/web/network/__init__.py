"""Network addresses: this machine's (`own_host`), and those in a proxy's headers (`forwarded`)."""
