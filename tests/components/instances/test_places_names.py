"""The menu of regions in each language: every country has its local name, in that language's order."""

import pytest

from components.instances.places import _options
from data.places.gazetteer import countries, country_names
from data.places.regions import CONTINENTS, WORLD, make_slug, regions
from runs.language import DEFAULT, LANGUAGES, use_language
from runs.translation import translate


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name != DEFAULT])
def test_every_country_has_a_name_in_every_language(language):
    names = country_names(language)
    assert names.keys() == {country.name for country in countries().values()}
    assert all(name.strip() == name != "" for name in names.values())
    assert len(set(names.values())) == len(names)


def test_the_menu_is_german_on_the_german_page():
    with use_language("de"):
        options = _options()
        sentence = translate("The list has 3 cities of Austria: n must be 1 to 3.")
    labels = {option["value"]: option["label"] for option in options}
    expected = {
        "world": "Die Welt", "africa": "Afrika", "north-america": "Nordamerika", "south-america": "Südamerika",
        "at": "Österreich", "de": "Deutschland", "hk": "Hongkong", "us": "Vereinigte Staaten",
    }  # fmt: skip
    assert {key: labels[key] for key in expected} == expected
    assert [option["value"] for option in options[:7]] == [WORLD, *CONTINENTS]
    visible = [option["label"] for option in options[7:]]
    assert visible.index("Norwegen") < visible.index("Oman") < visible.index("Österreich") < visible.index("Zypern")
    assert "Österreich" in sentence
    assert "Austria" not in sentence


def test_the_english_menu_is_in_the_order_of_its_names():
    options = _options()
    assert {option["value"] for option in options} == set(regions())
    visible = [make_slug(option["label"]) for option in options[7:]]
    assert visible == sorted(visible)
    assert visible[0] == "afghanistan"
