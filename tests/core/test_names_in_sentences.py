"""Check names in every sentence of the catalogues: French elides before vowels, and only English appends an ending."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from babel.messages.pofile import read_po
from markupsafe import Markup

import spieltisch
from spieltisch.core.french_elision import elide
from spieltisch.core.words import GENERAL_CATALOGUES, LANGUAGES, Message, Words, placeholders
from spieltisch.games import game_modules

ELIDED = ("Élodie", "Anne", "Œdipe", "Yves", "Åse", "Hélène", "Henri", "Hippolyte", "élan", "İlknur")
WHOLE = ("Hugo", "Hans", "Hertha", "Yann", "Klaus", "James", "Zoé", "Иван", "7th Duke")
SENTENCES = [
    (folder, entry)
    for folder in (GENERAL_CATALOGUES, *(spieltisch.game(key).folder / "locale" for key in game_modules()))
    for entry in read_po(BytesIO((folder / "fr.po").read_bytes()))
    if entry.id and placeholders(entry.id if isinstance(entry.id, str) else entry.id[1])
]
WORDS = r"(?:de|que|jusque|lorsque|puisque|quoique|le|la|ne|je|me|te|se)"


def all_sentences(language: str, name: str) -> list[str]:
    """Return all sentences with placeholders, with the name for every value, as text and as HTML."""
    sentences = []
    for folder, entry in SENTENCES:
        words = Words(language, folder)
        singular, plural = (entry.id, "") if isinstance(entry.id, str) else entry.id
        for count in (1, 5) if plural else (0,):
            values = {
                key: name for key in placeholders(singular) | placeholders(plural) if key != "count" or not plural
            }
            message = Message(singular, dict(values), plural, count)
            marked_text = words.say(message, mark=lambda value, text: Markup("<b>{}</b>").format(text))
            sentences += [words.say(message), marked_text.striptags()]
    return sentences


def test_more_than_twenty_french_sentences_depend_on_the_first_sound_of_a_name() -> None:
    hugo, elodie = all_sentences("fr", "Hugo"), all_sentences("fr", "Élodie")
    differ = [
        sentence
        for sentence, other_sentence in zip(hugo, elodie, strict=True)
        if sentence.replace("Hugo", "Élodie") != other_sentence
    ]
    assert "L’hôte a cédé la place de Hugo à quelqu’un d’autre." in differ
    assert "L’hôte a cédé la place d’Élodie à quelqu’un d’autre." in elodie
    assert "Prendre place en tant qu’Élodie" in elodie
    assert len(differ) > 20


@pytest.mark.parametrize("name", [*ELIDED, *WHOLE])
def test_french_words_before_a_name_are_elided_by_its_first_sound(name: str) -> None:
    before = WORDS + " " if name in ELIDED else r"\b(?:[dnjst]|(?:lors|puis|jus|quoi)?qu)’"
    assert [
        sentence
        for sentence in all_sentences("fr", name)
        if re.search(rf"(?<![\w’]){before}{re.escape(name)}", sentence, re.I)
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["Klaus", "James", "Hans", "Max", "Élodie"])
def test_no_sentence_appends_an_ending_to_a_name(language: str, name: str) -> None:
    own_ending = "’s" if language == "en" else ""  # right after any name
    sentences = [sentence.replace(name + own_ending, name) for sentence in all_sentences(language, name)]
    assert [sentence for sentence in sentences if re.search(rf"{name}['’]?[^\W\d_]", sentence)] == []


def test_french_elision_depends_on_the_first_sound_of_a_name() -> None:
    assert elide("jusque ", "Ève") == "jusqu’"
    assert elide("Près de la ", "Ardèche") == "Près de l’"
    assert elide("une ", "Ève") == "une "
    assert elide("Quand il y a de ", "Henriette") == "Quand il y a d’"
    assert elide("de ", "") == "de "
    assert elide("de ", "<a href='/x'>Élodie</a>") == "d’"
    assert elide("de ", "<Élodie>") == "de "
