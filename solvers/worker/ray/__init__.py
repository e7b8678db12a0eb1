"""Workers on a Ray cluster: the same programs and pipes, on other machines.

`options` parses the command line's options for the cluster, `connection` joins it, `nodes` lists its machines.
`worker_actor` starts a worker's program on a node and passes on its input and output; `process` represents that program
here, instead of a `subprocess.Popen`; `probe` prints the devices of a node. Ray is imported only for a connection.
"""
