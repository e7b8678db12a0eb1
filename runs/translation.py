"""Translates sentences of data, solvers, runs and studies into the page's language.

The program's own sentences are English, as on the command line and in saved files. A language's
``assets/texts/LANGUAGE/said.json`` maps each of them, with ``{0}``, ``{1}``, ... in place of its values, to its
translation; a test collects them from the source (``docs/languages.md``). Names of countries are in
``data/places/names/``.
"""

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from data.places.gazetteer import country_names
from runs.language import DEFAULT, current_language

_FOLDER = Path(__file__).resolve().parents[1] / "assets" / "texts"
_VALUE = re.compile(r"\{(\w*)\}")
#: Separators between sentences, and between parts of a line.
_SEPARATORS = (re.compile(r"((?<=[.!?]) (?=\S)|\n)"), re.compile(r"( \u00b7 |; )"))
#: Matches a value, which is at most one sentence.
_VALUE_PATTERN, _SENTENCES_BEFORE = r"((?:(?![.!?] [A-Z]).)*?)", r"((?:.*?[.!?] )?)"
_NUMBER = re.compile(r"(?<![\w.])[-\u2212+]?\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\w)")
_CACHE_SIZE = 4096
#: Shorter templates, such as "{0} or {1}", only match parts, since they would match any sentence.
_MIN_SIZE = 9


class _Template(NamedTuple):
    size: int  # number of characters outside the values
    part: str  # the longest constant part, which is searched for first
    pattern: re.Pattern[str]
    names: tuple[str, ...]
    translated: str


class _Table(NamedTuple):
    exact: dict[str, str]
    templates: tuple[_Template, ...]


def translate(sentence: str) -> str:
    """Translate a sentence of the program into the page's language; return unknown ones unchanged."""
    name = current_language()
    return sentence if name == DEFAULT or not sentence else _translate(sentence, name)


def translate_part(part: str) -> str:
    """Translate part of a sentence, such as a title with words of the program: 2-opt on berlin52."""
    name = current_language()
    return part if name == DEFAULT or not part else _translate_value(part, name)


@lru_cache(_CACHE_SIZE)
def _translate(sentence: str, name: str) -> str:
    return _translate_parts(sentence, name, _SEPARATORS)


def _translate_parts(sentence: str, name: str, separators: tuple[re.Pattern[str], ...]) -> str:
    """Translate a sentence as a whole, or otherwise part by part."""
    match = _match(sentence, name, _MIN_SIZE)
    if match is not None or not separators:
        return sentence if match is None else match
    parts = separators[0].split(sentence)
    return "".join(part if at % 2 else _translate_parts(part, name, separators[1:]) for at, part in enumerate(parts))


def _match(sentence: str, name: str, min_size: int = 0) -> str | None:
    """Translate a whole sentence by a template of at least `min_size` characters; None if unknown."""
    table = _load_table(name)
    if sentence in table.exact:
        return table.exact[sentence]
    for template in table.templates:
        if template.size >= min_size and template.part in sentence and (match := template.pattern.fullmatch(sentence)):
            return _fill(template, match.groups(), name)
    return None


def _fill(template: _Template, groups: tuple[str, ...], name: str) -> str:
    values = {key: _translate_value(value, name) for key, value in zip(template.names, groups, strict=True)}
    return _VALUE.sub(lambda each: values[each[1]], template.translated)


def _translate_value(value: str, name: str) -> str:
    """Translate a value, possibly a sentence; numbers follow the language's style."""
    translated = _match(value, name) if value else ""
    if translated is None and _SEPARATORS[0].search(value):
        return _translate_parts(value, name, _SEPARATORS)
    return _NUMBER.sub(lambda match: _format_number(match[0]), value) if translated is None else translated


def _format_number(digits: str) -> str:
    """Format a number such as 12,345.6 with thin spaces for thousands and a decimal comma."""
    integer, _, decimals = digits.partition(".")
    return integer.replace(",", "\u202f") + (f",{decimals}" if decimals else "")


@cache
def _load_table(name: str) -> _Table:
    translations: dict[str, str] = country_names(name)
    translations |= json.loads((_FOLDER / name / "said.json").read_text("utf-8"))
    translations |= {english.strip(): translated.strip() for english, translated in translations.items()}
    exact = {english: translated for english, translated in translations.items() if not _VALUE.search(english)}
    others = sorted(translations.keys() - exact.keys(), key=lambda english: -len(_VALUE.sub("", english)))
    return _Table(exact, tuple(_compile_template(english, translations[english]) for english in others))


def _compile_template(sentence: str, translated: str) -> _Template:
    names = tuple(_VALUE.findall(sentence))
    parts = _VALUE.split(sentence)[::2]
    pattern = _VALUE_PATTERN.join(map(re.escape, parts))
    if re.match(r"\{\w*\}[A-Z]", sentence):  # sentences before it, if any
        pattern = pattern.replace(_VALUE_PATTERN, _SENTENCES_BEFORE, 1)
    if re.search(r"[.!?] \{\w*\}$", sentence):  # sentences after it
        pattern = f"{pattern.removesuffix(_VALUE_PATTERN)}(.*)"
    return _Template(sum(map(len, parts)), max(parts, key=len), re.compile(pattern, re.DOTALL), names, translated)
