"""Fuzzes the reader of TSPLIB files: ``python -m fuzz``, or ``make fuzz``.

The property (`judge`): a file is refused with `InvalidInstance`, or it gives the same instance after writing and
reading it again; and if it is accepted without a warning, a second reader (`plain_reader`), which shares no code with
data/, must read the same. The tests check 10,000 mutants (`mutants`), ``make fuzz`` uses Atheris (`harness`); both must
find the defects in `planted`.
"""
