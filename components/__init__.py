"""The pages: layout and callbacks, one file per panel. Scripts in assets/ draw everything that moves.

One folder per page: `watch`, `race`, `study`, `library`, `papers`, each with a ``page`` that joins its panels. Shared
parts: `shell` (document, header, texts), `instances`, `algorithm`, `figures`.
"""
