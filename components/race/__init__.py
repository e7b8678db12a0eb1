"""The Race page: two to four runs on one instance side by side.

`page` has the tours with their player and the numbers (chart, table, differences), and joins the other panels: `setup`
(with `lanes` and `lane_dialog`), `recent`. `address` reads the address bar.
"""
