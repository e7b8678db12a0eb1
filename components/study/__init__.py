"""The Study page: many runs and their statistics.

`page` joins the panels: `setup` (with `entries`, `entry_dialog` and `tune_setup`), `status`, `tuning`, `matrix`,
`curves`, `distribution`, `tables`, `tests`, `recent`, `exports`. `first_view` answers before the page's
callbacks are ready; `address` reads the address bar.
"""
