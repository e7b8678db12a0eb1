"""The error for invalid input, and its codes.

The file: EMPTY, NOT_TEXT, GZIP, LIMIT, NO_HEADER, HEADER, DUPLICATE, UNREADABLE, DAMAGED, SYNTAX (of XML or JSON). The
header: MISSING, UNSUPPORTED. The numbers: INT, NUMBER, NONFINITE, RANGE, COLUMNS, COUNT, ASYM, DISAGREE. A table or an
array: AMBIGUOUS. A tour: NOT_A_TOUR.
A reference: REFERENCE (its form), UNKNOWN (no such instance here).
"""


class InvalidInstance(ValueError):
    """An instance or tour is unusable; the message is a sentence.

    Parameters
    ----------
    code : str
        Stable upper-case identifier of the kind of error, such as ``COUNT``.
    sentence : str
        The problem and its remedy, at most 200 characters, without a path.
    line : int or None
        Line of the file, counted from 1.
    column : int or None
        Column of the invalid word in this line, counted from 1.
    """

    def __init__(self, code: str, sentence: str, line: int | None = None, column: int | None = None) -> None:
        place = f"line {line}" if column is None else f"line {line}, column {column}"
        super().__init__(sentence if line is None else f"{sentence} ({place})")
        self.code = code
        self.sentence = sentence
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type, tuple[str, str, int | None, int | None]]:
        """Pickle the four arguments, because the error passes between processes."""
        return type(self), (self.code, self.sentence, self.line, self.column)
