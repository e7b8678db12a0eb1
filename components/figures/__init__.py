"""Figures of the page, pure functions of data; the scripts in `assets/` fill and restyle what stands here."""
