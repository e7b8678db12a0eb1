"""The drawer "How it works": the explanation of each algorithm, and the documents behind its links.

`content` builds a page of the drawer from the algorithm's document in ``docs/algorithms/`` and its declarations;
`standalone` makes a separate page of any document; `routes` serves both. `assets/how/` draws the drawer.
"""
