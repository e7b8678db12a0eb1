"""Reads and writes TSPLIB 95 files (Reinelt, 1995).

In order of reading: `text` (bytes to text), `tokens` (text to sections), `numerals`, `header`, `matrix_formats`,
`instances`, `tours`; `crosscheck` compares with a second reader. `normal_form` assembles and checks every instance and
computes its hash; `exchange` writes for other programs. `tokens` has the keywords, `header` their values.
"""
