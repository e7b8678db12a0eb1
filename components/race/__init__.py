"""The Race page: two to four runs on one instance side by side.

`page` joins the panels: `setup` (with `lanes` and `lane_dialog`), `stage` (the tours and their player), `numbers`
(chart, table, differences), `recent`, `exports`. `address` reads the address bar.
"""
