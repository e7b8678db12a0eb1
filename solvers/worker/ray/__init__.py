"""Workers on a Ray cluster: the same programs and pipes, on other machines.

`options` parses the command-line options for the cluster, `connection` joins it, `nodes` lists its machines.
`worker_actor` starts a worker's program on a node, and passes its input and output on; here, `process` stands for that
program in place of a `subprocess.Popen`. `probe` prints a node's devices. Ray is imported only for a connection.
"""
