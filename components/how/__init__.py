"""The drawer "How it works": explanations of algorithms, and the documents they link to.

`content` builds a page of the drawer from the algorithm's document in ``docs/algorithms/`` and its declarations;
`routes` serves it, and any document as a separate page. `assets/how/` draws the drawer.
"""
