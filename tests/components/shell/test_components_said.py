"""Every sentence of data, solvers, runs and studies is translated, and recognised with values in it."""

import json
import re
from pathlib import Path

import pytest

from components.shell.facts import localise
from data.suggest import describe_unknown
from runs.language import DEFAULT, LANGUAGES, use_language
from runs.translation import translate
from solvers.core.errors import InvalidParams
from tests.components.shell.said_templates import COMPOSED, citations, templates

FOLDER = Path(__file__).resolve().parents[3] / "assets" / "texts"
OTHERS = [name for name in LANGUAGES if name != DEFAULT]
VALUE = re.compile(r"\{\w*\}")


def catalogue(name: str) -> dict[str, str]:
    return json.loads((FOLDER / name / "said.json").read_text("utf-8"))


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_every_sentence_is_translated(name):
    """Missing sentences are printed as lines for the catalogue, in English: add the translations there."""
    there, wanted = catalogue(name), templates()
    missing = {sentence: sentence for sentence in wanted if sentence not in there}
    written = json.dumps(missing, indent=2, ensure_ascii=False)
    assert not missing, f"assets/texts/{name}/said.json lacks:\n{written}"
    assert sorted({*there} - {*wanted} - COMPOSED - citations()) == [], "the program does not say this"
    assert list(there) == sorted(there)


@pytest.mark.parametrize("name", OTHERS)
def test_translation_has_no_other_values(name):
    for sentence, translated in catalogue(name).items():
        assert {*VALUE.findall(translated)} <= {*VALUE.findall(sentence)}, sentence
        assert translated.strip(), sentence


@pytest.mark.parametrize("name", OTHERS)
def test_every_sentence_is_recognised(name):
    """With values that occur in no template; a template hidden by another one would be translated wrongly."""
    with use_language(name):
        for sentence, translated in catalogue(name).items():
            fields = dict.fromkeys(VALUE.findall(sentence))
            if len(VALUE.sub("", sentence)) < 12 and fields:  # such as "{0} on {1}": others may fit as well
                continue
            values = {field: f"v{k}" for k, field in enumerate(fields)}
            if re.match(r"\{\w*\}[A-Z]", sentence):  # sentences before it, or none
                values[next(iter(fields))] = ""
            filled = VALUE.sub(lambda found, values=values: values[found[0]], sentence)
            wanted = VALUE.sub(lambda found, values=values: values[found[0]], translated)
            assert translate(filled) == wanted, sentence


def test_values_are_translated_and_numbers_localised():
    refusal = InvalidParams("climbers", 0, "a whole number from 1 to 1,000,000")
    with use_language("de"):
        assert localise(str(refusal)) == (
            "Kletterer ist 0, muss aber eine ganze Zahl von 1 bis 1\u202f000\u202f000 sein."
        )
        assert (
            localise("0.5 is 12,345.6, and must be an integer.")
            == "0,5 ist 12\u202f345,6 und muss eine ganze Zahl sein."
        )
        assert localise(describe_unknown("algorithm", "twoopt", ["two-opt", "greedy"])).startswith(
            "Unbekannt: Algorithmus"
        )
        assert localise(describe_unknown("city", "Depo", ["Depot", "Mill"])).endswith(" Es gibt: Depot und Mill.")
    assert localise(str(refusal)) == "climbers is 0, but must be a whole number from 1 to 1\u202f000\u202f000."


def test_sentences_in_a_line_are_translated_separately():
    with use_language("de"):
        assert translate("There is no such run. Something else. There is no such race.") == (
            "Diesen Lauf gibt es nicht. Something else. Dieses Rennen gibt es nicht."
        )
        assert translate("berlin52") == "berlin52"
