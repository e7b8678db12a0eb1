"""The Watch page, for a single run.

`page` joins the panels: `launch` (seed, budget, device, Start), `tour`, `numbers`, `views` (beside the tour),
`restarts`, `recent`. `address` reads the address bar, `labels` uses the algorithm's own terms.
"""
