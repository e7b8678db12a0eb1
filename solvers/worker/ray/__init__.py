"""Workers on a Ray cluster: the same programs on the same pipes, on other machines.

`options` is what the command line says of the cluster, `connection` joins it, `nodes` tells which machines it has.
`host` is the actor that starts a worker's program on a node and passes on its input and output; `process` is that
program as its parent here sees it, in place of a `subprocess.Popen`; `probe` prints the
devices of a node. Ray is imported only once somebody connects.
"""
