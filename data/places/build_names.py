"""Builds lists of countries' names in other languages: ``python -m data.places.build_names``.

It needs the package Babel (BSD licence; not among the requirements), which has the names of Unicode's CLDR
(https://cldr.unicode.org, Unicode License V3). ``data/places/names/LANGUAGE.tsv`` has code and name of each country of
``countries.tsv``.
"""

from data.places.gazetteer import FOLDER, countries

LANGUAGES = ("de",)
#: Prefix of the names of Hong Kong and Macao in CLDR, under which nobody would look for them in a list.
_LEFT_OUT = {"de": "Sonderverwaltungsregion "}


def build() -> None:
    """Write a file per language."""
    from babel import Locale

    for language in LANGUAGES:
        names = Locale(language).territories
        rows = [f"{code}\t{names[code].removeprefix(_LEFT_OUT[language])}\n" for code in countries()]
        (FOLDER / "names" / f"{language}.tsv").write_text("".join(rows), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    build()
