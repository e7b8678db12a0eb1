"""Real places: the largest cities of the world, of a continent or of a country.

`gazetteer` reads the bundled list of cities, `regions` says which regions there are and finds one by what a person
types, `largest` makes an instance of the largest cities of one. `build` wrote the list.
"""
