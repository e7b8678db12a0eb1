"""Available instances, and references to them.

`resolve` finds an instance by its reference, parsed by `instance_reference`. `listing` lists the bundled instances and
those in the user's folder, `uploads` stores uploaded ones by hash, `optima` has best known tours, `proofs` stores
optima proven by runs of the server, `fetch` downloads instances from the TSPLIB 95 site, `drawing` reads hand-drawn
cities, `fact_sheet` describes an instance for the command line.
"""
