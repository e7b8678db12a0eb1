"""Real places: the largest cities of the world, a continent or a country.

`gazetteer` reads the bundled list of cities, `regions` lists the regions and finds one by user input, `largest` makes
an instance of a region's largest cities. `build` wrote the list.
"""
