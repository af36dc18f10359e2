"""Goods and cards in words: "2 wood, 1 coal", "telephone, card a"."""

from collections.abc import Sequence

from spieltisch.core.words import Message, Name, message, messages
from spieltisch.games.era_of_inventions.board import Board, Card, FactoryTile
from spieltisch.games.era_of_inventions.state import BONUS_DISC, GOLD, GOODS, INFLUENCE


def one_good(board: Board, kind: int) -> Name:
    """Return the name of one piece of a kind."""
    return board.contents.goods[kind].name


def amount(board: Board, kind: int, number: int) -> Message:
    """Return a number of pieces of a kind, of influence points or of bonus discs in words."""
    if kind == INFLUENCE:
        return messages("{count} influence point", "{count} influence points", number)
    if kind == BONUS_DISC:
        return messages("{count} bonus disc", "{count} bonus discs", number)
    good = board.contents.goods[kind]
    return message("{count} {good}", count=number, good=good.name if number == 1 else good.many)


def listed(parts: Sequence[Message | Name], *, apart: bool = False) -> Message | Name:
    """Join items with commas, or semicolons if `apart` (for items that contain commas); no items give "nothing"."""
    if not parts:
        return message("nothing")
    text: Message | Name = parts[-1]
    for part in reversed(parts[:-1]):
        if apart:
            text = message("{one}; {rest}", one=part, rest=text)
        else:
            text = message("{one}, {rest}", one=part, rest=text)
    return text


def amounts(board: Board, row: Sequence[int], any_cubes: int = 0) -> Message | Name:
    """Return a row of numbers in words: goods, then influence, then bonus discs, then "?" cubes."""
    parts: list[Message | Name] = [amount(board, kind, number) for kind, number in enumerate(row) if number]
    if any_cubes:
        parts.append(messages("{count} cube of your choice", "{count} cubes of your choice", any_cubes))
    return listed(parts)


def mix_row(metal: int, technology: int, tool: int) -> list[int]:
    """Return the "?" cubes of a counterfeit as a row of goods."""
    return [0, 0, metal, technology, tool, 0, 0]


def card_name(card: Card) -> Message | Name:
    """Return a card as sentences name it: a start card by its own name, others by their invention and letter."""
    if card.kind == "start":
        return card.name
    if card.kind == "official":
        return message("{invention}, card {letter}", invention=card.name, letter=card.letter)
    return message("{invention} counterfeit", invention=card.name)


def card_label(board: Board, card: Card) -> Message:
    """Return a card with its cost and yield."""
    cost, gain = amounts(board, card.cost, card.any), amounts(board, card.gain)
    return message("{card} ({cost} → {gain})", card=card_name(card), cost=cost, gain=gain)


def factory_label(board: Board, works: FactoryTile) -> Message:
    """Return a factory with its cost and yield."""
    cost, output = amounts(board, works.cost), amounts(board, works.output)
    if works.influence:
        return message(
            "{factory} ({cost} → {output}; {influence} at once)",
            factory=works.name,
            cost=cost,
            output=output,
            influence=amount(board, INFLUENCE, works.influence),
        )
    return message("{factory} ({cost} → {output})", factory=works.name, cost=cost, output=output)


def output_label(board: Board, works: FactoryTile) -> Message:
    """Return a factory that has been built with its yield."""
    return message("{factory} (→ {output})", factory=works.name, output=amounts(board, works.output))


def field_name(board: Board, invention: int, k: int) -> Message:
    """Return the name of the gold or silver field of an invention."""
    name = board.inventions[invention].name
    if k == GOLD:
        return message("{invention} (gold)", invention=name)
    return message("{invention} (silver)", invention=name)


def plus(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Return the sum of two rows of goods."""
    return [first[kind] + second[kind] for kind in range(GOODS)]


def pair(first: int, second: int) -> list[int]:
    """Return one piece of each of two kinds, which may be the same, as a row of goods."""
    return [(kind == first) + (kind == second) for kind in range(GOODS)]
