"""Untrusted files, read by child processes with limits. See docs/server.md.

In the server: `receive` (uploads piece by piece), `service`, `launch` (children started), `sandbox` (their limits).
The children: `run`, `study`, `file` (instances, tables, tours). What they check: `frame_checks`, `layer_checks`,
`lengths` (measured again), `study_outcome`.
"""
