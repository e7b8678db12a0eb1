"""Between the server and those who reach it: `own_host` is this machine in its network, `forwarded` a proxy's word."""
