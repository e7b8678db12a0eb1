"""Ids used only on the papers' page, and by the scripts `assets/papers/*.js`."""

CARDS = "papers-cards"  # links to the papers
HEADING = "papers-heading"  # title of the current paper
ABOUT = "papers-about"  # below it: authors, venue, hardware, and the order of its entries
ENTRIES = "papers-entries"  # its tables and figures
