"""Figures of the pages as pure functions of data; scripts in assets/ fill and restyle them."""
