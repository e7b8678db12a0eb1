"""The Ray engine on several nodes of this machine: `nodes` creates them, `main` measures."""
