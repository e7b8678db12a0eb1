"""What solvers on every device share to tell of their work: statistics, recorded moves, snapshots."""
