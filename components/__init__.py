"""The pages: layout and callbacks, one file a panel. What moves is drawn by the scripts in assets/.

A folder a page: `watch`, `race`, `study`, `library`, each with a ``page`` that joins its panels. What pages share:
`shell` (document, header, texts), `instances`, `algorithm`, `figures`.
"""
