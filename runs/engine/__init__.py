"""Worker processes: started, spoken to, ended.

`protocol` is what an engine is, `process` the one that starts a process a run. Inside the worker: `worker`, `commands`
(what it is told), `warmup` (kernels loaded before anybody waits).
"""
