"""The pages' figures, pure functions of data; scripts in assets/ fill and restyle them."""
