"""The Race page: two to four runs on one instance side by side.

`page` joins the panels: `setup` (with `lanes` and `lane_dialog`), `stage` (the tours and their player), `numbers`
(chart, table, differences), `recent`, `exports`. `finished` compares finished runs; `address` reads the address bar.
"""
