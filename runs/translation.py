"""Translates the sentences of data, solvers, runs and studies into the page's language.

They speak English, as the command line and saved files do. A language's ``assets/texts/LANGUAGE/said.json`` has each of
their sentences, with ``{0}``, ``{1}``, ... in place of its values, and the same in that language; a test collects them
from the source (``docs/languages.md``). Names of countries are in ``data/places/names/``.
"""

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from data.places.gazetteer import country_names
from runs.language import DEFAULT, language

_FOLDER = Path(__file__).resolve().parents[1] / "assets" / "texts"
_VALUE = re.compile(r"\{(\w*)\}")
#: Between two sentences; between parts of a line.
_BETWEEN = (re.compile(r"((?<=[.!?]) (?=\S)|\n)"), re.compile(r"( \u00b7 |; )"))
#: A value: whatever is no more than one sentence.
_ONE, _BEFORE = r"((?:(?![.!?] [A-Z]).)*?)", r"((?:.*?[.!?] )?)"
_NUMBER = re.compile(r"(?<![\w.])[-\u2212+]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\w)")
_KEPT = 4096
#: A template of fewer characters, such as "{0} or {1}", is one of parts: any sentence could be of it.
_LEAST = 9


class _Template(NamedTuple):
    size: int  # characters beside its values
    part: str  # its longest, which is looked for first
    pattern: re.Pattern[str]
    names: tuple[str, ...]
    translated: str


class _Table(NamedTuple):
    whole: dict[str, str]
    templates: tuple[_Template, ...]


def translate(sentence: str) -> str:
    """Translate a sentence of the program into the language of the page; unknown sentences stay as they are."""
    name = language()
    return sentence if name == DEFAULT or not sentence else _translate(sentence, name)


def translate_part(part: str) -> str:
    """Translate a part of a sentence, such as a title with some words of the program: 2-opt on berlin52."""
    name = language()
    return part if name == DEFAULT or not part else _value(part, name)


@lru_cache(_KEPT)
def _translate(sentence: str, name: str) -> str:
    return _translate_parts(sentence, name, _BETWEEN)


def _translate_parts(sentence: str, name: str, between: tuple[re.Pattern[str], ...]) -> str:
    """A sentence as a whole, else part by part."""
    found = _match(sentence, name, _LEAST)
    if found is not None or not between:
        return sentence if found is None else found
    parts = between[0].split(sentence)
    return "".join(part if at % 2 else _translate_parts(part, name, between[1:]) for at, part in enumerate(parts))


def _match(sentence: str, name: str, least: int = 0) -> str | None:
    """The translation of a whole sentence, by a template of at least `least` characters; None if unknown."""
    table = _table(name)
    if sentence in table.whole:
        return table.whole[sentence]
    for template in table.templates:
        if template.size >= least and template.part in sentence and (found := template.pattern.fullmatch(sentence)):
            return _fill(template, found.groups(), name)
    return None


def _fill(template: _Template, groups: tuple[str, ...], name: str) -> str:
    values = {key: _value(value, name) for key, value in zip(template.names, groups, strict=True)}
    return _VALUE.sub(lambda each: values[each[1]], template.translated)


def _value(value: str, name: str) -> str:
    """A value of a sentence: it may be a sentence of its own, and numbers are written as the language does."""
    known = _match(value, name) if value else ""
    if known is None and _BETWEEN[0].search(value):
        return _translate_parts(value, name, _BETWEEN)
    return _NUMBER.sub(lambda found: _number(found[0]), value) if known is None else known


def _number(digits: str) -> str:
    """A number of a sentence, such as 12,345.6: thin spaces between thousands, and a decimal comma."""
    whole, _, rest = digits.partition(".")
    return whole.replace(",", "\u202f") + (f",{rest}" if rest else "")


@cache
def _table(name: str) -> _Table:
    written: dict[str, str] = country_names(name)
    written |= json.loads((_FOLDER / name / "said.json").read_text("utf-8"))
    written |= {english.strip(): translated.strip() for english, translated in written.items()}
    plain = {english: translated for english, translated in written.items() if not _VALUE.search(english)}
    others = sorted(written.keys() - plain.keys(), key=lambda english: -len(_VALUE.sub("", english)))
    return _Table(plain, tuple(_template(english, written[english]) for english in others))


def _template(sentence: str, translated: str) -> _Template:
    names = tuple(_VALUE.findall(sentence))
    parts = _VALUE.split(sentence)[::2]
    pattern = _ONE.join(map(re.escape, parts))
    if re.match(r"\{\w*\}[A-Z]", sentence):  # sentences before it, or none
        pattern = pattern.replace(_ONE, _BEFORE, 1)
    if re.search(r"[.!?] \{\w*\}$", sentence):  # sentences after it
        pattern = f"{pattern.removesuffix(_ONE)}(.*)"
    return _Template(sum(map(len, parts)), max(parts, key=len), re.compile(pattern, re.DOTALL), names, translated)
