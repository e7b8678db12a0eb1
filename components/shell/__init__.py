"""Parts that every page shares.

`header` is the bar on top, `ids` all ids of the Watch page and of shared parts, `palette` the colour of each algorithm,
`assets` serves scripts and sheets, which `bundle` joins to one of each a page, `texts` reads the catalogue,
`numbers` and `facts` write what is put into it, `chart_text` is a chart's description and CSV button, `start` keeps
Start disabled until the form is filled, `errors` turns errors into messages for the form. `scaffold` is the part that
all layouts share, `address` a page's address bar, `recent_menu` the menu of recent runs, races or studies, `player` a
player's buttons; `callbacks` runs callbacks in threads; `markdown` turns documents into HTML.
"""
