"""Studies: many runs, instances by algorithms by seeds, in one file, with statistics. See docs/studies.md.

`spec` says which runs a study has, `file` keeps them, `pool` does them, `stats` computes of them, `report` says it in
words, `export` writes it down, `cli` is the command line, `errors` what is refused.
"""
