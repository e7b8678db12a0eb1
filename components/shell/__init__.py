"""Parts shared by all pages.

`header` is the bar on top; `ids` has ids of the Watch page and of shared parts; `palette` the colour of each
algorithm. `assets` serves scripts and sheets, which `bundle` joins into one of each per page. `texts` reads the
catalogue; `numbers` and `facts` format its values. `chart_text` is a chart's description and CSV button; `start_button`
keeps Start disabled until the form is filled; `errors` turns errors into messages for the form. `scaffold` is the part
shared by all layouts, `address` a page's address bar, `recent_menu` the menu of recent runs, races or studies, `player`
a player's buttons. `callbacks` runs callbacks in threads; `markdown` turns documents into HTML.
"""
