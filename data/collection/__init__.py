"""Available instances, and references to them.

`resolve` finds an instance by its reference (`instance_reference` reads these), `listing` names the bundled ones and
those in the user's folder, `uploads` keeps uploaded ones by their hash, `optima` has best tours, `proofs` keeps those
that a run of the server has proven, `fetch` downloads instances from the TSPLIB 95 site, `drawing` reads cities that
somebody drew, `fact_sheet` describes one for the command line.
"""
