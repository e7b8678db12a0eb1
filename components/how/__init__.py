"""The drawer "How it works": the explanation of each algorithm, and the documents behind its links.

`content` makes a page of the drawer from the algorithm's document in ``docs/algorithms/`` and its declarations,
`standalone` a page of its own from any document, `routes` serves both. `assets/how/` draws the drawer.
"""
