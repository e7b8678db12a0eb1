"""Fuzzing of the reader of TSPLIB files: ``python -m fuzz``, or ``make fuzz``.

One property is held (`judge`): a file is refused with one typed error, or comes back the same when written and read
again; and what is accepted without a warning is what a second reader (`plain_reader`) finds, which shares no code with
data/. The tests do so with 10,000 mutants (`mutants`), ``make fuzz`` with Atheris (`harness`); both must find the
defects of `planted`.
"""
