"""Problems and marks as documents, for screens and other programs. A question tells no answer."""

from __future__ import annotations

from pitboss.cards import Card
from pitboss.money import floor_to_cents, format_cents
from pitboss.play.dealing import outstanding
from pitboss.play.facts import Facts, JackpotFacts, Seat, Status, outstanding_decision
from pitboss.play.irregularity import handled
from pitboss.play.shapes import parts_of
from pitboss.play.table import State
from pitboss.play.views import FACE_DOWN, Role, Viewer, view_for
from pitboss.rulebooks.plan import ClauseRef, Plan
from pitboss.rulebooks.trouble import Condition, ExposedAt, ExposedBy
from pitboss.school.answers import Marked, MarkedLine, in_words
from pitboss.school.exercises import Exercise
from pitboss.school.problems import (
    Asked,
    Choice,
    IrregularityProblem,
    Problem,
    SettlementProblem,
    lies_open,
)
from pitboss.school.shapes import (
    DrillChoice,
    DrillClause,
    DrillHand,
    DrillLine,
    DrillPool,
    DrillQuestion,
    DrillReported,
    DrillRound,
    DrillSeat,
    DrillStake,
    DrillTold,
    DrillTrouble,
    DrillWager,
)
from pitboss.school.topics import IRREGULARITY, SETTLEMENT


def asking(exercise: Exercise) -> DrillQuestion:
    """What a trainee is shown before they answer."""
    problem = exercise.problem
    plan = problem.plan
    return DrillQuestion(
        rulebook=plan.id,
        title=plan.book.identity.title,
        currency=plan.book.house.currency,
        comes_back=exercise.comes_back,
        kind=kind_of(problem),
        settlement=_round(problem) if isinstance(problem, SettlementProblem) else None,
        irregularity=_trouble(problem) if isinstance(problem, IrregularityProblem) else None,
    )


def kind_of(problem: Problem) -> str:
    """Whether a problem is a settlement or an irregularity."""
    return SETTLEMENT if isinstance(problem, SettlementProblem) else IRREGULARITY


def area_of(plan: Plan, wager: str) -> str:
    """The name of a wager on the layout; what is paid without a stake lies on no area of its own."""
    found = plan.wager(wager)
    return found.area if found.extra_on is None else found.name.replace("-", " ").title()


def _round(problem: SettlementProblem) -> DrillRound:
    facts, plan = problem.facts, problem.plan
    return DrillRound(
        dealer=_codes(facts.dealer),
        community=_codes(facts.community),
        void=facts.void,
        limits={
            area_of(plan, name): [format_cents(amount) for amount in limit]
            for name, limit in facts.limits.items()
        },
        jackpot=None if facts.jackpot is None else _pool(facts.jackpot),
        seats=[_seat(plan, facts, seat) for seat in facts.seats],
        asked=[_asked(plan, asked) for asked in problem.lines],
    )


def _codes(cards: tuple[Card, ...]) -> list[str]:
    return [card.code for card in cards]


def _pool(jackpot: JackpotFacts) -> DrillPool:
    meter = floor_to_cents(jackpot.meter)
    return DrillPool(
        meter=format_cents(meter),
        reset=format_cents(jackpot.reset),
        unit=format_cents(jackpot.unit),
    )


def _seat(plan: Plan, facts: Facts, seat: Seat) -> DrillSeat:
    away = outstanding_decision(plan, seat) if seat.status is Status.ABSENT else None
    return DrillSeat(
        position=seat.position,
        player=seat.player,
        cards=_codes(seat.cards) if lies_open(seat) else [FACE_DOWN] * len(seat.cards),
        status=seat.status.value,
        away_at=away or "",
        warned=seat.warned,
        established=seat.established,
    )


def _asked(plan: Plan, asked: Asked) -> DrillWager:
    return DrillWager(
        position=asked.position,
        wager=asked.wager,
        area=area_of(plan, asked.wager),
        stake=format_cents(asked.stake),
    )


def _trouble(problem: IrregularityProblem) -> DrillTrouble:
    state, plan = problem.state, problem.plan
    view = view_for(state, Viewer(Role.DEALER))
    decision = outstanding(state)
    return DrillTrouble(
        procedure=state.terms.procedure.name,
        stage=state.stage.value,
        decision=decision.name if decision is not None else "",
        dealer=view.dealer,
        community=view.community,
        hands=[
            DrillHand(
                position=int(number),
                player=box.player,
                cards=box.cards,
                fate=box.fate,
                viewed=box.viewed,
                handled=handled(state, state.boxes[int(number)]),
                choices=box.choices,
                stakes=[DrillStake(area_of(plan, wager), stake) for wager, stake in box.stakes.items()],
            )
            for number, box in view.positions.items()
        ],
        reported=reported(problem),
        choices=[choice_shown(plan, choice) for choice in problem.choices],
    )


def reported(problem: IrregularityProblem) -> DrillReported:
    """What was reported: the kind, the hands, the count, and what was found."""
    report = problem.report
    findings: list[Condition] = []
    if report.reconstructable is not None:
        findings.append(
            Condition.RECONSTRUCTABLE if report.reconstructable else Condition.NOT_RECONSTRUCTABLE
        )
    if report.intentional is not None:
        findings.append(Condition.INTENTIONAL if report.intentional else Condition.UNINTENTIONAL)
    if report.exposed_at is not None:
        later = report.exposed_at is ExposedAt.LATER
        findings.append(Condition.EXPOSED_LATER if later else Condition.EXPOSED_IN_THE_DEAL)
    if report.exposed_by is not None:
        player = report.exposed_by is ExposedBy.PLAYER
        findings.append(Condition.EXPOSED_BY_PLAYER if player else Condition.EXPOSED_BY_DEALER)
    return DrillReported(
        kind=report.kind.value,
        positions=list(report.positions),
        count=report.count,
        findings=[word.value for word in findings],
        what=report.what,
    )


def choice_shown(plan: Plan, choice: Choice) -> DrillChoice:
    """A remedy as it is offered; `title` is the book's own name of who rules."""
    title = "" if choice.decides is None else plan.book.authorities.titles[choice.decides]
    return DrillChoice(
        name=choice.name,
        remedy=choice.remedy.value,
        decides="" if choice.decides is None else choice.decides.value,
        title=title,
        rulings=[ruling.value for ruling in choice.rulings],
    )


# --- the marks --------------------------------------------------------------------------------------------


def marks(exercise: Exercise, marked: Marked) -> DrillTold:
    """What a trainee is told once they have answered: what was right, what is, and by which clauses."""
    problem = exercise.problem
    plan = problem.plan
    told = DrillTold(
        right=marked.is_right,
        title=exercise.title,
        note=exercise.note,
        trap=exercise.is_trap,
        lines=[_line(plan, line) for line in marked.lines],
        clauses=[
            DrillClause(clause=number, gist=gist_of(plan, number), right=is_right)
            for number, is_right in marked.clauses.items()
        ],
        chosen=None,
        remedy=None,
    )
    if isinstance(problem, IrregularityProblem):
        told.chosen = None if marked.chosen is None else choice_shown(plan, marked.chosen)
        told.remedy = choice_shown(plan, problem.right)
        told.note = exercise.note or problem.note
    return told


def gist_of(plan: Plan, number: str) -> str:
    """What a clause says, or nothing for one that the book does not have any more."""
    clause = plan.register.get(ClauseRef(number))
    return "" if clause is None else clause.gist


def _line(plan: Plan, marked: MarkedLine) -> DrillLine:
    line = marked.line
    return DrillLine(
        **parts_of(_asked(plan, marked.asked)),
        right=marked.is_right,
        returned=format_cents(line.returned),
        collected=format_cents(line.collected),
        paid=format_cents(line.paid),
        says=in_words(marked.asked, line),
        clauses=list(line.clauses),
    )


def circumstances_in_words(state: State) -> list[str]:
    """How a table stands, in sentences: what matters for a report that the felt does not show."""
    boxes = [box for _, box in sorted(state.boxes.items())]
    told = [_STAGES[state.stage.value].format(procedure=state.terms.procedure.title)]
    for what, positions in (
        ("looked at {} cards", [box.position for box in boxes if box.viewed]),
        ("touched {} cards", [box.position for box in boxes if handled(state, box) and not box.viewed]),
        ("folded", [box.position for box in boxes if box.fate.value == "folded"]),
    ):
        if positions:
            told.append(f"{_positions(positions)} {what.format(_whose(positions))}.")
    if state.stage.value == "playing" and not any(box.viewed or handled(state, box) for box in boxes):
        told.append("Nobody has looked at his cards or touched them.")
    for player in dict.fromkeys(box.player for box in boxes):
        own = [box.position for box in boxes if box.player == player]
        if len(own) > 1:
            told.append(f"{player} plays positions {', '.join(str(n) for n in own)}.")
    decision = outstanding(state)
    if decision is not None:
        told.append(f"The players decide on the {area_of(state.plan, decision.bet)} wager now.")
    return told


def _positions(positions: list[int]) -> str:
    numbers = ", ".join(str(number) for number in positions)
    return f"Position {numbers} has" if len(positions) == 1 else f"Positions {numbers} have"


def _whose(positions: list[int]) -> str:
    return "his" if len(positions) == 1 else "their"


_STAGES = {
    "idle": "No round has begun.",
    "betting": "Bets are being taken; no card is dealt.",
    "closed": "Bets are closed; no card is dealt ({procedure}).",
    "playing": "Cards lie on the layout ({procedure}).",
    "settled": "The round is settled, and the next has not commenced ({procedure}).",
    "void": "The round is void.",
}
