"""The drawer "How it works": explanations of algorithms, and the documents they link to.

`content` builds a page of the drawer from the algorithm's document in ``docs/algorithms/`` and its declarations;
`standalone` makes a separate page of any document; `routes` serves both. `assets/how/` draws the drawer.
"""
