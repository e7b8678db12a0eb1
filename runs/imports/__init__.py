"""Imports untrusted files, which limited sandbox processes read. See docs/server.md.

In the server: `receive` (streamed uploads), `service`, `untrusted_files` (starts sandbox processes), `sandbox` (their
limits). In the sandbox: `run`, `study`, `file` (instances, tables, tours). Their checks: `frame_checks`, `lengths`
(tour lengths, recomputed), `study_outcome`.
"""

#: Size limit of run files, in bytes.
MAX_RUN_BYTES = 256 << 20
