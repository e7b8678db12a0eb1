"""The Ray engine on several nodes of this machine: `nodes` makes them, `main` measures."""
