"""Figures of the pages, pure functions of data; the scripts in assets/ fill and restyle them."""
