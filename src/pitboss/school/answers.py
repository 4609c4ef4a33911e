"""What a trainee says, and whether it is right: wager by wager, or the remedy by name or number.

What cannot be understood is `BadInput` with an example; it is asked again and marked neither right nor wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pitboss.errors import BadInput, is_number, near_miss
from pitboss.money import NOTHING, Cents, format_cents, parse_cents
from pitboss.play.settlement import SettlementLine
from pitboss.school.problems import Asked, Choice, IrregularityProblem, SettlementProblem

HOW = "write 'take', 'push' or 'pay 25'; 'take 1000' takes that much and gives the rest of the stake back"
HELP = f"{HOW}; 'pay 100 take' pays and takes; 'none' pays nothing where there is no stake; 'quit' ends"
WAIT = "wait"
"""What a list calls a remedy that waits for a ruling."""
_TAKE = ("take", "t", "taken", "takes", "collect", "collected", "lose", "loses", "lost", "house")
_BACK = ("push", "pu", "return", "returned", "back", "standoff", "stand-off", "tie")
_PAY = ("pay", "p", "pays", "paid", "award", "win", "wins")
_NONE = ("none", "nothing", "no", "n", "-")
_JOINING = ("and", "the", "stake", "rest")


class Answer(NamedTuple):
    """What a trainee does with a wager. `collected` is None where he only said what he pays."""

    paid: Cents
    collected: Cents | None


class MarkedLine(NamedTuple):
    """One wager, marked: what was said, and what is right."""

    asked: Asked
    given: Answer
    line: SettlementLine
    is_right: bool


class Marked(NamedTuple):
    """A problem, marked. `clauses` tells of each clause behind it whether what it rules was got right."""

    is_right: bool
    clauses: Mapping[str, bool]
    lines: tuple[MarkedLine, ...] = ()
    chosen: Choice | None = None


# --- a wager ----------------------------------------------------------------------------------------------


def parse_answer(text: str, asked: Asked) -> Answer:
    """What becomes of a wager, as people type it: `take`, `push`, `pay 25`, `pay 100 and take`, `none`."""
    words = _words(text, asked)
    if not asked.stake:
        return _without_stake(words, asked)
    said: dict[str, Cents | None] = {}
    while words:
        verb = _verb(words.pop(0), asked)
        if verb in said:
            raise BadInput(asked.wager, f"'{verb}' stands twice", HOW)
        said[verb] = parse_cents(words.pop(0), asked.wager) if words and _is_amount(words[0]) else None
    if "pay" in said and said["pay"] is None:
        raise BadInput(asked.wager, "no amount to pay", "write it, such as 'pay 25'")
    return answer_of(
        asked, pay=said.get("pay"), take=_whole(said, "take", asked), back=_whole(said, "push", asked)
    )


def answer_of(asked: Asked, *, pay: Cents | None, take: Cents | None, back: Cents | None) -> Answer:
    """An answer from its parts; whoever pays need not say what becomes of the stake."""
    paid = pay or NOTHING
    if not asked.stake:
        return Answer(paid, NOTHING)
    if take is None and back is None:
        if not paid:
            raise BadInput(asked.wager, "not said what becomes of the stake", HOW)
        return Answer(paid, None)
    collected = take if take is not None else Cents(asked.stake - (back or NOTHING))
    if not 0 <= collected <= asked.stake or (back is not None and collected + back != asked.stake):
        stake = format_cents(asked.stake)
        raise BadInput(asked.wager, f"the stake is {stake}, and that does not add up to it", HOW)
    return Answer(paid, collected)


def _words(text: str, asked: Asked) -> list[str]:
    """The words of an answer without the name of the wager, which may stand before them."""
    before, colon, after = text.strip().lower().partition(":")
    if colon:
        name = re.sub(r"^(position\s*)?[0-9]+\s+", "", before.strip()).replace(" ", "-")
        if name != asked.wager:
            raise BadInput(asked.wager, f"this is about '{before.strip()}'", f"{asked.wager} is asked now")
    spaced = re.sub(r"([a-z])([0-9])", r"\1 \2", after if colon else before)
    words = [word.strip(".,;") for word in spaced.replace("$", "").replace("+", " ").split()]
    words = [re.sub(r"(?<=[0-9]),(?=[0-9]{3})", "", word) for word in words]
    found = [word for word in words if word and word not in _JOINING]
    if not found:
        raise BadInput(asked.wager, "nothing was said", HOW if asked.stake else _HOW_EXTRA)
    return found


_HOW_EXTRA = "write 'pay 25' or 'none'"


def _verb(word: str, asked: Asked) -> str:
    for name, spellings in (("take", _TAKE), ("push", _BACK), ("pay", _PAY)):
        if word in spellings:
            return name
    meant = near_miss(word, ("take", "push", "pay", "return", "collect"))
    remedy = meant if meant.startswith("did you") else HOW
    raise BadInput(asked.wager, f"'{word}' is nothing that is done with a wager", remedy)


def _is_amount(word: str) -> bool:
    return word[:1].isdigit()


def _whole(said: Mapping[str, Cents | None], verb: str, asked: Asked) -> Cents | None:
    """The amount of a verb; without one it is the whole stake, or what the other leaves of it."""
    if verb not in said:
        return None
    amount = said[verb]
    if amount is not None:
        return amount
    other = said.get("push" if verb == "take" else "take")
    return Cents(asked.stake - (other or NOTHING))


def _without_stake(words: list[str], asked: Asked) -> Answer:
    """A payment that goes with another wager is made or not."""
    if len(words) == 1 and words[0] in (*_NONE, *_TAKE, *_BACK, "0"):
        return Answer(NOTHING, NOTHING)
    if len(words) == 2 and words[0] in _PAY and _is_amount(words[1]):
        return Answer(parse_cents(words[1], asked.wager), NOTHING)
    raise BadInput(asked.wager, f"'{' '.join(words)}' cannot be done here", _HOW_EXTRA)


def mark_settlement(problem: SettlementProblem, given: Mapping[Asked, Answer]) -> Marked:
    """Every wager against what the engine settles; what was left out is wrong."""
    lines: list[MarkedLine] = []
    clauses: dict[str, bool] = {}
    for asked, line in problem.lines.items():
        answer = given.get(asked, Answer(Cents(-1), None))
        is_right = _agrees(answer, line)
        lines.append(MarkedLine(asked, answer, line, is_right))
        for number in line.clauses:
            clauses[number] = clauses.get(number, True) and is_right
    return Marked(all(line.is_right for line in lines), clauses, tuple(lines))


def _agrees(answer: Answer, line: SettlementLine) -> bool:
    if answer.paid != line.paid:
        return False
    return answer.collected is None or answer.collected == line.collected


def right_answers(problem: SettlementProblem) -> dict[Asked, Answer]:
    """What the engine would answer."""
    return {asked: Answer(line.paid, line.collected) for asked, line in problem.lines.items()}


def in_words(asked: Asked, line: SettlementLine) -> str:
    """What becomes of a wager, as it could have been answered."""
    if not asked.stake:
        return f"pay {format_cents(line.paid)}" if line.paid else "none"
    if line.collected == NOTHING:
        stake = "push"
    elif line.returned == NOTHING:
        stake = "take"
    else:
        stake = f"take {format_cents(line.collected)}, push {format_cents(line.returned)}"
    if not line.paid:
        return stake
    return f"pay {format_cents(line.paid)}, {stake}"


def given_in_words(asked: Asked, given: Answer) -> str:
    """What was answered, in the same words."""
    if given.collected is None:
        return f"pay {format_cents(given.paid)}"
    line = SettlementLine(
        wager=asked.wager,
        stake=asked.stake,
        returned=Cents(asked.stake - given.collected),
        collected=given.collected,
        paid=given.paid,
        clauses=(),
    )
    return in_words(asked, line)


# --- a remedy -----------------------------------------------------------------------------------------------


def parse_choice(text: str, choices: Sequence[Choice]) -> Choice:
    """The remedy that was meant: its number in the list, or its name."""
    said = " ".join(text.lower().replace(":", " ").split()).strip(".")
    if is_number(said):
        if 1 <= int(said) <= len(choices):
            return choices[int(said) - 1]
        raise BadInput("remedy", f"there is no number {said}", f"write 1 to {len(choices)}")
    if not said:
        raise BadInput(
            "remedy", "nothing was said", f"write a number, 1 to {len(choices)}, or a remedy by its name"
        )
    fitting = [choice for choice in choices if _means(said, choice)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise BadInput("remedy", f"'{said}' may be several of them", "write its number")
    known = dict.fromkeys(choice.remedy.value if choice.decides is None else WAIT for choice in choices)
    raise BadInput("remedy", f"'{said}' is not on the list", f"{near_miss(said, known)} (or its number)")


def _means(said: str, choice: Choice) -> bool:
    dashed = said.replace(" ", "-")
    names = [choice.name.replace(" ", "-"), choice.remedy.value]
    return dashed in (names if choice.decides is None else [*names, choice.decides.value, WAIT])


def mark_irregularity(problem: IrregularityProblem, chosen: Choice) -> Marked:
    """The remedy against the book's."""
    is_right = chosen == problem.right
    return Marked(is_right, dict.fromkeys(problem.clauses, is_right), chosen=chosen)
