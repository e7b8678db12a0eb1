"""Reading and writing TSPLIB 95 files (Reinelt, 1995).

In order of reading: `text` (bytes to text), `tokens` (text to sections), `numerals`, `header`, `matrix_formats`,
`instances`, `tours`; `crosscheck` is a second reader's opinion. `normal_form` puts every instance together, checks and
names it. `facts` has the optima and origins of TSPLIB's instances. Which keywords there are, `tokens` says; what their
values may be, `header`.
"""
