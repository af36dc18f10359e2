"""Check the state of choosing a move by script modules with made-up trees of words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.browsers import Browsers
from tests.web.script_page import ScriptPage

pytestmark = pytest.mark.browser
PAGE: Final = """<!doctype html><title>Choosing</title><script type="module">
import { computeNextState, createInitialState } from '/static/js/move-choice.js';
import { createBoardMarks, createChoiceView, createUncommonOptions } from '/static/js/choice-view.js';

const node = ({ text, children = [], question = '', ...more }, index) => ({
  text, index, question, place: '', label: text, name: '', move: '', gain: '', hint: '', axes: null,
  isBlocked: false, isUncommon: false, isAsked: false, ...more, children: children.map(node),
});
let state;
window.begin = (tree, isDeciding) => { state = createInitialState(tree.map(node), isDeciding); };
window.send = (event) => {
  const before = JSON.stringify(state);
  const given = state;
  const [after, ...todo] = computeNextState(state, event);
  if (JSON.stringify(given) !== before) throw new Error('a state was changed');
  state = after;
  return todo.map(([name, about]) => [name, about?.move ?? about ?? null]);
};
window.choose = (n) => send(view({}).options[n].event);
window.chosen = () => ({ ...state, tree: null, earlierStates: state.earlierStates.length });
window.view = (page) => createChoiceView(state, { isDocked: false, hasMap: false, boardOrder: [], ...page });
window.uncommon = () => createUncommonOptions(state);
window.marks = () =>
  Object.fromEntries(Object.entries(createBoardMarks(state)).map(([name, places]) => [name, [...places]]));
window.isReady = true;
</script>"""


class Choice:
    """The choice of a move from a tree of words, as the script modules keep it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def begin(self, *tree: dict[str, Any], is_deciding: bool = True) -> None:
        """Start the choice of a move at a position with these moves."""
        self.page.evaluate("([tree, isDeciding]) => begin(tree, isDeciding)", [tree, is_deciding])

    def send(self, kind: str, **extra_fields: Any) -> list[list[Any]]:
        """Send an event, and return the actions for the page."""
        choice_effects: list[list[Any]] = self.page.evaluate("send", {"type": kind, **extra_fields})
        return choice_effects

    def choose(self, option: int) -> list[list[Any]]:
        """Press an option by its number, and return the actions for the page."""
        choice_effects: list[list[Any]] = self.page.evaluate("choose", option)
        return choice_effects

    def place(self, place: str, **extra_fields: bool) -> list[list[Any]]:
        """Choose an element of the boards."""
        return self.send("place", place=place, **extra_fields)

    def read(self, name: str) -> Any:
        """Return the state, the marks on the boards, or the uncommon options."""
        return self.page.evaluate(name)

    def view(self, **page: Any) -> dict[str, Any]:
        """Return what the prompt shows."""
        choice_view: dict[str, Any] = self.page.evaluate("view", page)
        return choice_view

    def texts(self, **page: Any) -> list[str]:
        """Return the words of the options."""
        return [" ".join(label["text"] for label in option["labels"]) for option in self.view(**page)["options"]]


@pytest.fixture(scope="module")
def shared_page(browsers: Browsers) -> Iterator[Page]:
    """Return one page for all tests of this file."""
    page = browsers.one().new_page()
    scripts = ScriptPage(page)
    scripts.document = lambda request: PAGE
    scripts.open()
    page.wait_for_function("window.isReady")
    yield page
    page.context.close()


@pytest.fixture
def choice(shared_page: Page) -> Choice:
    return Choice(shared_page)


def word(text: str, *children: dict[str, Any], **word_fields: Any) -> dict[str, Any]:
    """Return a word of the tree."""
    return {"text": text, "children": children, **word_fields}


def move(text: str, move: str, **word_fields: Any) -> dict[str, Any]:
    """Return the last word of a move."""
    return {"text": text, "move": move, "name": move, **word_fields}


BUILD: Final = word(
    "build",
    word("red", move("A", "build red A", place="a"), move("B", "build red B", place="b"), place="red"),
    word("blue", move("A", "build blue A", place="a"), place="blue"),
)
DIG: Final = word("dig", move("C", "dig C", place="c"), move("D", "dig D", place="d"))
STOP: Final = move("stop", "stop")
BLOCKED: Final = word("trade", isBlocked=True)
PRESSED: Final = [["show", None], ["bring into view", None]]


def test_chosen_words_lead_to_a_move_and_can_be_undone(choice: Choice) -> None:
    choice.begin(BUILD, DIG, STOP, BLOCKED)
    assert choice.texts() == ["build", "dig", "stop"]
    assert [option["event"] for option in choice.view()["blocked"]] == [{"type": "explain", "words": ["trade"]}]
    assert choice.choose(0) == [*PRESSED, ["focus", None]]
    # What has one answer is not asked.
    assert choice.texts() == ["red", "blue A"]
    assert choice.view()["canUndo"]
    assert choice.send("undo") == [["show", None], ["focus back", None]]
    assert choice.texts() == ["build", "dig", "stop"]
    assert not choice.view()["canUndo"]
    assert choice.choose(2) == [["send", "stop"]]


def test_no_second_move_is_sent_while_a_move_is_being_sent(choice: Choice) -> None:
    choice.begin(BUILD, STOP)
    assert choice.send("press", node={"move": "stop"}) == [["send", "stop"]]
    assert choice.send("press", node={"move": "stop"}) == []
    assert choice.place("b") == []
    choice.send("answered")
    assert choice.send("press", node={"move": "stop"}) == [["send", "stop"]]


def test_nothing_is_chosen_between_a_confirmation_and_the_new_position(choice: Choice) -> None:
    choice.begin(BUILD, STOP)
    assert choice.send("confirmed") == [["wait", None]]
    assert choice.send("confirmed") == []
    assert choice.choose(0) == choice.choose(2) == choice.place("b") == choice.send("undo") == []
    choice.begin(BUILD, STOP)
    assert choice.choose(2) == [["send", "stop"]]


def test_the_only_possible_choice_is_made_automatically_and_the_other_choices_stay_visible(choice: Choice) -> None:
    choice.begin(BUILD, STOP, BLOCKED)
    assert choice.texts() == ["red", "blue A", "stop"]
    assert not choice.view()["canUndo"]
    assert len(choice.view()["blocked"]) == 1


def test_choosing_a_board_element_selects_its_only_move_or_asks_a_question(choice: Choice) -> None:
    choice.begin(BUILD, STOP)
    assert choice.place("b") == [*PRESSED, ["press", "build red B"]]
    choice.begin(BUILD, STOP)
    assert choice.place("a") == [*PRESSED, ["focus", None]]
    assert choice.texts() == ["red", "blue"]
    assert choice.read("marks")["chosen"] == ["a"]


def test_a_second_board_element_narrows_the_choice_or_replaces_the_first(choice: Choice) -> None:
    choice.begin(BUILD, STOP)
    choice.place("red")
    assert sorted(choice.read("marks")["targets"]) == ["a", "b", "red"]
    assert choice.place("a") == [*PRESSED, ["press", "build red A"]]
    choice.begin(BUILD, STOP)
    choice.place("blue", isByKeys=True)
    choice.place("b")
    assert choice.read("chosen")["places"] == ["b"]


def test_keyboard_focus_stays_on_the_board_until_its_last_element_is_chosen(choice: Choice) -> None:
    choice.begin(BUILD, STOP)
    assert choice.place("red", isByKeys=True) == PRESSED
    choice.begin(BUILD, STOP)
    assert choice.place("a", isByKeys=True) == [*PRESSED, ["focus", None]]


def test_the_first_tap_previews_a_move_and_the_second_tap_plays_the_move(choice: Choice) -> None:
    choice.begin(BUILD, STOP)
    assert choice.place("b", mustNameFirst=True) == [*PRESSED, ["preview", "build red B"], ["focus", None]]
    assert choice.place("b", mustNameFirst=True) == [["press", "build red B"]]


def test_choosing_the_same_element_again_confirms_the_move_and_choosing_another_element_does_not(
    choice: Choice,
) -> None:
    choice.begin(BUILD, STOP)
    choice.place("b", mustNameFirst=True)
    assert choice.place("b", isToConfirm=True) == [["confirm", None]]
    assert ["confirm", None] not in choice.place("a", isToConfirm=True)


def test_an_element_without_a_legal_move_is_explained(choice: Choice) -> None:
    choice.begin(BUILD, STOP)
    assert choice.place("z") == [["explain", {"words": ["build"], "place": "z"}]]
    choice.place("a")
    assert choice.place("z") == [["explain", {"words": [], "place": "z"}]]
    choice.begin(BUILD, STOP, is_deciding=False)
    assert choice.place("b") == [["explain", {"words": [], "place": "b"}]]


def test_an_element_that_does_not_fit_the_chosen_words_starts_a_new_choice(choice: Choice) -> None:
    choice.begin(BUILD, DIG)
    choice.choose(1)
    assert choice.place("b") == [*PRESSED, ["press", "build red B"]]
    choice.send("undo")
    assert choice.read("chosen")["path"] == []


def test_the_dismiss_event_releases_a_chosen_element_or_else_closes_the_notice(choice: Choice) -> None:
    choice.begin(BUILD, DIG)
    assert choice.send("dismiss") == [["clear", None], ["focus", None]]
    choice.place("a")
    choice.send("dismiss")
    assert choice.read("chosen")["places"] == []
    choice.choose(0)
    choice.place("a")
    choice.send("forget")
    assert (choice.read("chosen")["path"], choice.read("chosen")["earlierStates"]) == ([], 0)


def trade(*gains: str) -> dict[str, Any]:
    """Return trades of red or blue; those without a gain are no moves."""
    remaining_gains = iter(gains)

    def last_option(*words: str) -> dict[str, Any]:
        gain = next(remaining_gains)
        return move(words[-1], " ".join(words), gain=gain) if gain else word(words[-1], isBlocked=True)

    rows = [
        word(
            row,
            *(word(n, *(last_option(row, n, to) for to in ("red", "blue")), question="for?") for n in ("one", "two")),
        )
        for row in ("red", "blue")
    ]
    return word(
        "trade", *({**row, "question": "give?"} for row in rows), axes={"rowLabel": "give", "columnLabel": "take"}
    )


def test_a_choice_grid_starts_at_the_last_number_with_a_legal_move(choice: Choice) -> None:
    choice.begin(trade("", "+1", "", "", "+2", "", "", ""), DIG)
    choice.choose(0)
    choice_view = choice.view()
    assert [number["isPressed"] for number in choice_view["numbers"]] == [True, False]
    assert [[cell["text"] for cell in row["cells"]] for row in choice_view["grid"]["rows"]] == [
        ["·", "+1"],
        ["+2", "·"],
    ]
    assert choice_view["grid"]["rows"][0]["cells"][0]["event"]["type"] == "explain"
    assert choice.send("number", text="two") == [["draw", None], ["focus number", None]]
    assert [number["isPressed"] for number in choice.view()["numbers"]] == [False, True]
    choice.send("undo")
    choice.choose(0)
    assert [number["isPressed"] for number in choice.view()["numbers"]] == [True, False]


def test_uncommon_moves_are_listed_last_unless_no_others_are_left(choice: Choice) -> None:
    rare = move("with less", "send with less", isUncommon=True)
    choice.begin(word("send", move("all", "send all", place="x"), {**rare, "place": "x"}), STOP)
    assert choice.place("x") == [*PRESSED, ["press", "send all"]]
    assert [option["event"]["node"]["move"] for option in choice.read("uncommon")] == ["send with less"]
    choice.begin(rare, BLOCKED)
    assert choice.texts() == ["with less"]
    assert not choice.view()["options"][0]["isUncommon"]


def test_a_hint_shared_by_all_moves_is_shown_once(choice: Choice) -> None:
    moves = [move(text, f"build {text}", place="a", hint="costs 2") for text in ("red", "blue")]
    choice.begin(word("build", *moves), STOP)
    choice.place("a")
    first, second = choice.view()["options"]
    assert (first["isHintHidden"], second["isHintHidden"]) == (False, True)
    assert choice.view()["hasHints"]


def test_only_the_words_before_the_visible_text_are_sent_of_an_accessible_name(choice: Choice) -> None:
    choice.begin(
        {**move("stop", "stop", gain="+2", hint="ends the turn"), "name": "Please stop"},
        {**move("go", "go", gain="+2", hint="on"), "name": "Go on:"},
    )
    contents, named_option = choice.view()["options"]
    assert (contents["nameStart"], "name" in contents) == ("Please ", False)
    assert (named_option["name"], "nameStart" in named_option) == ("Go on: +2 – on", False)


def test_the_move_requested_by_a_lesson_is_marked_and_listed_first_on_a_phone(choice: Choice) -> None:
    choice.begin(STOP, {**move("go", "go"), "isAsked": True})
    assert choice.texts() == ["stop", "go"]
    assert choice.texts(isDocked=True) == ["go", "stop"]
    choice.begin({**STOP, "isAsked": True}, {**move("go", "go"), "isAsked": True})
    assert [option["isAsked"] for option in choice.view()["options"]] == [False, False]
    assert choice.read("marks")["asked"] == []


def test_the_map_is_offered_as_an_alternative_to_many_choices(choice: Choice) -> None:
    choice.begin(*(move(str(n), str(n)) for n in range(13)))
    assert choice.view(hasMap=True)["isMapHinted"]
    assert not choice.view(hasMap=False)["isMapHinted"]
    choice.begin(*(move(str(n), str(n)) for n in range(12)))
    assert not choice.view(hasMap=True)["isMapHinted"]
