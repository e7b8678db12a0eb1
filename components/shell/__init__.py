"""What every page shares.

`document` is the HTML around the app, `header` the bar on top, `ids` all ids of the Watch page and of shared parts,
`palette` the colour of each algorithm, `text` numbers in words, `chart_text` what stands beside a chart, `start` keeps
Start disabled until the form is filled, `errors` what is refused in a sentence. `scaffold` is what all layouts have,
`recent_menu` the menu of what was last done, `player` a player's buttons, `callbacks` how a service is asked.
"""
