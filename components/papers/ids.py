"""Every id that only the papers' page has, once; the scripts `assets/papers/*.js` use the same ids."""

CARDS = "papers-cards"  # links to the papers
HEADING = "papers-heading"  # the title of the paper that is shown
ABOUT = "papers-about"  # below it: who, where, on what, and the order of its entries
ENTRIES = "papers-entries"  # its tables and figures
