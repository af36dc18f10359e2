"""Check sentences: placeholders, plurals, catalogues and their order, escaping, and the pseudo-locale."""

from pathlib import Path

import msgspec
import pytest
from markupsafe import Markup

from spieltisch.core.names import removed_person_name
from spieltisch.core.words import (
    LANGUAGES,
    Message,
    Name,
    SeatName,
    Value,
    Words,
    WordsError,
    message,
    messages,
    removed_person_number,
)

RUBY = Name(en="Ruby", de="Rubin", fr="Rubis", nl="Robijn")

HEADER = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural={expression};\\n"

"""


def catalogue(folder: Path, language: str, entries: str) -> Path:
    folder.mkdir(exist_ok=True)
    expression = "(n > 1)" if language == "fr" else "(n != 1)"
    (folder / f"{language}.po").write_text(HEADER.replace("{expression}", expression) + entries, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    catalogue(
        tmp_path / "game",
        "de",
        """
msgid "{player} builds {company}."
msgstr "{company} wird von {player} gebaut."

msgid "{count} locomotive of {company}"
msgid_plural "{count} locomotives of {company}"
msgstr[0] "eine Lokomotive von {company}"
msgstr[1] "{count} Lokomotiven von {company}"

#, fuzzy
msgid "Unsure"
msgstr "Unsicher"

msgid "Lacking"
msgstr ""

msgid "Wrong {one}"
msgstr "Falsch {two}"
""",
    )
    return catalogue(
        tmp_path / "game",
        "fr",
        """
msgid "{count} locomotive of {company}"
msgid_plural "{count} locomotives of {company}"
msgstr[0] "{count} locomotive {company}"
msgstr[1] "{count} locomotives {company}"

msgid "{player} says “{company}”: why not?"
msgstr "{player} dit « {company} » : pourquoi pas ?"
""",
    )


SECOND = SeatName(1)


def builds(player: Value = SECOND) -> Message:
    return message("{player} builds {company}.", player=player, company=RUBY)


def test_a_sentence_ending_with_a_dotted_name_has_only_one_full_stop() -> None:
    words, sentence = Words("en"), message("The seat goes to {player}.", player="Wilhelm IV.")
    assert words.say(sentence) == "The seat goes to Wilhelm IV."
    assert words.say(message("{player}... {player}: no", player="Wilhelm IV.")) == "Wilhelm IV... Wilhelm IV.: no"
    marked_text = words.say(sentence, mark=lambda value, text: Markup("<b>{}</b>").format(text))
    assert marked_text == "The seat goes to <b>Wilhelm IV.</b>"


def test_no_line_breaks_after_a_french_opening_quotation_mark() -> None:
    name = Name(en="Play “All”:", de="Spiele „Alle“:", fr="Jouez « Tous » :", nl="Speel “Alle”:")
    assert name.text("fr") == "Jouez\N{SPACE}«\N{NO-BREAK SPACE}Tous\N{NO-BREAK SPACE}»\N{NO-BREAK SPACE}:"
    assert name.text("de") == "Spiele „Alle“:"


def test_no_line_breaks_before_a_french_colon(folder: Path) -> None:
    sentence = message("{player} says “{company}”: why not?", player="Ada", company=RUBY)
    assert Words("fr", folder).say(sentence) == "Ada dit «\xa0Rubis\xa0»\xa0: pourquoi pas\xa0?"


def test_english_sentences_are_shown_without_a_catalogue() -> None:
    assert Words("en").say(builds(), ["Ada", "Grace"]) == "Grace builds Ruby."


def test_a_translation_may_reorder_placeholders(folder: Path) -> None:
    assert Words("de", folder).say(builds(), ["Ada", "Grace"]) == "Rubin wird von Grace gebaut."


def test_an_untranslated_sentence_is_english_with_translated_names(folder: Path) -> None:
    assert Words("nl", folder).say(builds("Ada")) == "Ada builds Robijn."


def test_fuzzy_and_empty_translations_are_ignored(folder: Path) -> None:
    german = Words("de", folder)
    assert [german.say(message("Unsure")), german.say(message("Lacking"))] == ["Unsure", "Lacking"]


def test_the_first_catalogue_with_a_translation_wins(folder: Path, tmp_path: Path) -> None:
    entries = 'msgid "{player} builds {company}."\nmsgstr "anders"\n\nmsgid "Lacking"\nmsgstr "Fehlt"\n'
    other_catalogue = catalogue(tmp_path / "other", "de", entries)
    german = Words("de", folder, other_catalogue)
    assert german.say(builds("Ada")) == "Rubin wird von Ada gebaut."
    assert german.say(message("Lacking")) == "Fehlt"
    assert Words("de", other_catalogue, folder).say(builds("Ada")) == "anders"


def test_a_catalogue_is_reloaded_after_a_change(tmp_path: Path) -> None:
    folder = catalogue(tmp_path / "game", "de", 'msgid "Yes"\nmsgstr "Ja"\n')
    assert Words("de", folder).say(message("Yes")) == "Ja"
    catalogue(folder, "de", 'msgid "Yes"\nmsgstr "Jawohl"\n')
    assert Words("de", folder).say(message("Yes")) == "Jawohl"


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("en", 0, "0 locomotives of Ruby"),
        ("en", 1, "1 locomotive of Ruby"),
        ("en", 5, "5 locomotives of Ruby"),
        ("de", 0, "0 Lokomotiven von Rubin"),
        ("de", 1, "eine Lokomotive von Rubin"),
        ("de", 5, "5 Lokomotiven von Rubin"),
        ("fr", 0, "0 locomotive Rubis"),
        ("fr", 1, "1 locomotive Rubis"),
        ("fr", 2, "2 locomotives Rubis"),
    ],
)
def test_plural_forms_follow_the_rules_of_the_language(folder: Path, language: str, count: int, text: str) -> None:
    remaining_text = messages(
        "{count} locomotive of {company}", "{count} locomotives of {company}", count, company=RUBY
    )
    assert Words(language, folder).say(remaining_text) == text


def test_large_numbers_get_the_separators_of_the_language() -> None:
    people_text = message("{people} people", people=1234567)
    assert [Words("en").say(people_text), Words("de").say(people_text)] == ["1,234,567 people", "1.234.567 people"]
    assert str(message("{points} points", points=-40)) == "−40 points"
    assert Words("de").say(message("{points} points", points=160.75)) == "160,8 points"


def test_a_seat_without_a_name_is_shown_by_its_number() -> None:
    assert Words("en").say(SeatName(0)) == "Player 1"
    assert Words("en").say(SeatName(2), ["Ada", "Grace"]) == "Player 3"


def test_a_message_may_be_a_value_in_another_message() -> None:
    assert str(message("Undone: {what}", what=builds("Ada"))) == "Undone: Ada builds Ruby."


@pytest.mark.parametrize("text", ["{}", "{0}", "{a.b}", "{a[0]}", "{a!r}", "{a:>3}", "{a", "a}", "{a b}"])
def test_a_placeholder_that_is_no_identifier_is_refused(text: str) -> None:
    with pytest.raises(WordsError):
        message(text, a="x")


def test_a_message_whose_values_and_placeholders_differ_is_refused() -> None:
    with pytest.raises(WordsError, match=r"no value for \{city\}"):
        message("Build in {city}.")
    with pytest.raises(WordsError, match=r"no placeholder \{city\}"):
        message("Build.", city="Lyon")
    with pytest.raises(WordsError, match=r"no value for \{company\}"):
        messages("{count} of {company}", "{count} of {company}", 1)


def test_a_translation_with_an_unknown_placeholder_raises_an_error(folder: Path) -> None:
    with pytest.raises(WordsError, match=r"no value for \{two\}"):
        Words("de", folder).say(message("Wrong {one}", one="x"))
    with pytest.raises(WordsError, match=r"no value for \{city\}"):
        Words("en").say(Message("Build in {city}."))


def test_doubled_braces_are_literal_and_values_are_not_parsed() -> None:
    assert str(message("{{{name}}}", name="{other}")) == "{{other}}"


def test_a_sentence_with_marked_values_escapes_all_other_text() -> None:
    def chip(value: Value, text: str) -> str:
        return Markup('<b class="{}">{}</b>').format("red", text) if isinstance(value, Name) else text

    sentence = Words("en").say(message("{player} < {company}", player=SeatName(0), company=RUBY), ["<i>Ada</i>"], chip)
    assert isinstance(sentence, Markup)
    assert sentence == '&lt;i&gt;Ada&lt;/i&gt; &lt; <b class="red">Ruby</b>'
    assert Words("en").say(RUBY, mark=chip) == '<b class="red">Ruby</b>'
    assert Words("en").say("<Ada>", mark=chip) == "&lt;Ada&gt;"
    nested = message("Undone: {what}", what=message("{company} & {more}", company=RUBY, more="<"))
    assert Words("en").say(nested, mark=chip) == 'Undone: <b class="red">Ruby</b> &amp; &lt;'


def test_a_marked_value_is_escaped_unless_it_is_markup() -> None:
    assert Words("en").say(RUBY, mark=lambda value, text: f"<{text}>") == "&lt;Ruby&gt;"


def test_sentences_in_templates_escape_text_but_keep_markup(folder: Path) -> None:
    phrases = Words("de", folder).template_functions(["Ada", "<Grace>"])
    text = phrases["_"]("{player} builds {company}.", player=SeatName(1), company=Markup("<b>R</b>"))
    assert text == "<b>R</b> wird von &lt;Grace&gt; gebaut."
    plural_text = phrases["_n"]("{count} locomotive of {company}", "{count} locomotives of {company}", 2, company="<")
    assert plural_text == "2 Lokomotiven von &lt;"


def test_the_pseudo_locale_marks_sentences_and_names_but_not_values() -> None:
    pseudo = Words("en", pseudo=True)
    assert pseudo.say(builds(), ["Ada", "Grace"]) == "[!! Grace ƀûïļðš [!! Řûƀý !!]. !!]"
    assert pseudo.say(SeatName(0)) == "[!! þļåýéř 1 !!]".replace("þ", "P")
    assert pseudo.say("build red Lyon") == "build red Lyon"


def test_an_unknown_language_raises_an_error() -> None:
    with pytest.raises(WordsError, match="no such language: 'xx'"):
        Words("xx")
    with pytest.raises(WordsError, match="no such language: '__class__'"):
        RUBY.text("__class__")


@pytest.mark.parametrize("damage", ['mgsid "Yes"', 'msgid "Yes"\nmsgstr[x] "Ja"'])
def test_an_error_in_a_catalogue_names_the_file(tmp_path: Path, damage: str) -> None:
    folder = catalogue(tmp_path / "game", "de", damage)
    with pytest.raises(WordsError, match=r"de\.po"):
        Words("de", folder)


def test_messages_are_restored_from_json_and_names_from_component_files() -> None:
    sentence = message("{a} {b} {c} {d} {e}", a="x", b=1, c=RUBY, d=SeatName(2), e=builds())
    assert msgspec.json.decode(msgspec.json.encode(sentence), type=Message) == sentence
    assert msgspec.convert({"en": "Ruby", "de": "Rubin", "fr": "Rubis", "nl": "Robijn"}, Name) == RUBY
    assert msgspec.convert({"en": "Ruby"}, Name) == Name("Ruby")
    with pytest.raises(msgspec.ValidationError, match="en"):
        msgspec.convert({"de": "Rubin", "fr": "Rubis"}, Name)


def test_the_repr_of_a_message_can_be_evaluated_and_a_name_is_printed_in_english() -> None:
    sentence = builds()
    assert eval(repr(sentence)) == sentence  # noqa: S307  # our own
    assert [RUBY.text(language) for language in LANGUAGES] == ["Ruby", "Rubin", "Rubis", "Robijn"]
    assert str(RUBY) == "Ruby"


def test_removed_people_are_guests_in_every_language() -> None:
    sentence = message("{player} plays against {name}.", player=SeatName(0), name=removed_person_name(12))
    texts = {language: Words(language).say(sentence, names=[removed_person_name(1)]) for language in LANGUAGES}
    assert texts == {
        "en": "Guest 1 plays against Guest 12.",
        "de": "Gast 1 plays against Gast 12.",
        "fr": "Invité 1 plays against Invité 12.",
        "nl": "Gast 1 plays against Gast 12.",
    }


def test_a_guest_who_has_chosen_no_name_is_called_one_in_the_language_of_the_reader() -> None:
    sentence = message("{player} plays against {name}.", player=SeatName(0), name="Invité")
    texts = {language: Words(language).say(sentence, names=["Gast"]) for language in LANGUAGES}
    assert texts == {
        "en": "Guest plays against Guest.",
        "de": "Gast plays against Gast.",
        "fr": "Invité plays against Invité.",
        "nl": "Gast plays against Gast.",
    }
    assert Words("de").say("Guesty") == "Guesty"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "1",
        "Guest 1",
        removed_person_name(1)[0],
        f"{removed_person_name(1)}x",
        removed_person_name(1)[0] + "²",
        removed_person_name(10**9),
    ],
)
def test_names_that_resemble_those_of_removed_people_stay_unchanged(name: str) -> None:
    assert removed_person_number(name) is None
    assert Words("de").say(name) == name
