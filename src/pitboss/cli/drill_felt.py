"""Problems and marks in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pitboss.cli.felt import cards_row, lay_out
from pitboss.money import floor_to_cents, format_cents
from pitboss.play.facts import Facts, Seat
from pitboss.play.views import FACE_DOWN, Role, Viewer, view_for
from pitboss.rulebooks.plan import Plan
from pitboss.rulebooks.trouble import Condition
from pitboss.rulebooks.vocabulary import meaning
from pitboss.school.answers import Marked, given_in_words, in_words
from pitboss.school.exercises import Exercise
from pitboss.school.problems import Choice, IrregularityProblem, SettlementProblem, lies_open
from pitboss.school.showing import area_of, circumstances_in_words, gist_of, reported

FEW_RULINGS = 3


def draw_exercise(out: Console, exercise: Exercise, place: str) -> None:
    """What is asked, with its place among the problems: `3.`, `3 of 20`."""
    problem = exercise.problem
    again = "  (it was missed before)" if exercise.comes_back else ""
    title = f"{place} {problem.plan.book.identity.title}{again}"
    out.print()
    if isinstance(problem, SettlementProblem):
        _draw_round(out, title, problem)
        out.print("Settle every wager.")
    else:
        _draw_trouble(out, title, problem)


def _draw_round(out: Console, title: str, problem: SettlementProblem) -> None:
    facts, plan = problem.facts, problem.plan
    grid = Table.grid(padding=(0, 2))
    grid.add_row("dealer", cards_row([card.code for card in facts.dealer]))
    if facts.community:
        grid.add_row("community", cards_row([card.code for card in facts.community]))
    for seat in facts.seats:
        cards = [card.code if lies_open(seat) else FACE_DOWN for card in seat.cards]
        staked = [wager.name for wager in plan.wagers if seat.stake(wager.name)]
        stakes = "  ".join(f"{area_of(plan, name)} {format_cents(seat.stake(name))}" for name in staked)
        row = Text.assemble(cards_row(cards), f"   {stakes}", (_fate(seat), "italic"))
        grid.add_row(f"position {seat.position}", row)
    lay_out(out, grid, title)
    for text in _terms(plan, facts):
        out.print(f"  {text}", markup=False)


def _fate(seat: Seat) -> str:
    words = {
        "played": "",
        "folded": "folded",
        "declined": "would not expose his cards",
        "absent": "was away for the decision",
        "invalid": "hand removed from play",
    }[seat.status.value]
    words += ", but established his hand" if seat.established else ""
    words += ", warned before about a stake under the minimum" if seat.warned else ""
    return f"   ({words.removeprefix(', ')})" if words else ""


def _terms(plan: Plan, facts: Facts) -> list[str]:
    told = []
    if facts.void is not None:
        told.append(f"The round is void under {facts.void}.")
    if facts.jackpot is not None:
        meter, unit = floor_to_cents(facts.jackpot.meter), facts.jackpot.unit
        told.append(f"Jackpot meter {format_cents(meter)}, one unit is {format_cents(unit)}.")
    for name, limit in facts.limits.items():
        least, most = (format_cents(amount) for amount in limit)
        told.append(f"Limits of the {area_of(plan, name)}: {least} to {most}.")
    return told


def _draw_trouble(out: Console, title: str, problem: IrregularityProblem) -> None:
    state, plan = problem.state, problem.plan
    view = view_for(state, Viewer(Role.DEALER))
    grid = Table.grid(padding=(0, 2))
    grid.add_row("dealer", cards_row(view.dealer))
    if plan.community_cards:
        grid.add_row("community", cards_row(view.community))
    for position, box in view.positions.items():
        stakes = "  ".join(f"{area_of(plan, wager)} {stake}" for wager, stake in box.stakes.items())
        grid.add_row(f"position {position}", Text.assemble(cards_row(box.cards), f"   {stakes}"))
    lay_out(out, grid, title)
    for sentence in circumstances_in_words(state):
        out.print(f"  {sentence}", markup=False)
    out.print(f"[bold]Reported:[/bold] {report_in_words(problem)}")
    out.print("What does the book do?")
    for number, choice in enumerate(problem.choices, 1):
        out.print(f"  {number}. {choice_in_words(plan, choice)}", markup=False)


def report_in_words(problem: IrregularityProblem) -> str:
    """What was reported, in a sentence."""
    told, report = reported(problem), problem.report
    parts = [report.what or meaning(report.kind)]
    if report.positions:
        parts.append(f"position {', '.join(str(n) for n in report.positions)}")
    if report.count:
        parts.append(f"{report.count} {'card' if report.count == 1 else 'cards'}")
    parts += [_finding(Condition(word)) for word in told.findings]
    return f"{report.kind.value.replace('-', ' ')}: {'; '.join(parts)}."


def _finding(word: Condition) -> str:
    if word is Condition.NOT_RECONSTRUCTABLE:  # its meaning leans on that of the finding before it
        return "the House finds that the cards cannot be put back in order"
    return meaning(word)


def choice_in_words(plan: Plan, choice: Choice) -> str:
    """A remedy in words; one that waits says for whom, and for what."""
    if choice.decides is None:
        return f"{choice.remedy.value.replace('-', ' ')}: {meaning(choice.remedy)}"
    title = plan.book.authorities.titles[choice.decides]
    rulings = " or ".join(ruling.value.replace("-", " ") for ruling in choice.rulings)
    what = rulings if len(choice.rulings) <= FEW_RULINGS else "whatever he sees fit"
    return f"wait: the {title} or above rules ({what})"


def draw_marks(out: Console, exercise: Exercise, marked: Marked) -> None:
    """What was right, what is right, and the clauses that say so."""
    plan = exercise.problem.plan
    known = "A known error of dealers: " if exercise.is_trap else ""
    if marked.is_right:
        out.print(f"[bold green]Right.[/bold green] {known}{exercise.title}")
    else:
        out.print("[bold red]Wrong.[/bold red]")
    for line in marked.lines:
        sign = "[green]✓[/green]" if line.is_right else "[red]✗[/red]"
        where = f"position {line.asked.position}  {area_of(plan, line.asked.wager)}"
        said = "" if line.is_right else f" (you: {given_in_words(line.asked, line.given)})"
        right = f"{where}: {in_words(line.asked, line.line)}{said}"
        out.print(f"  {sign} {right}  \\[{', '.join(line.line.clauses)}]")
    if isinstance(exercise.problem, IrregularityProblem) and not marked.is_right:
        out.print(f"  {choice_in_words(plan, exercise.problem.right)}", markup=False)
        if marked.chosen is not None:
            out.print(f"  (you: {choice_in_words(plan, marked.chosen)})", markup=False)
    if known and not marked.is_right:
        out.print(f"  {known}{exercise.title}.", markup=False)
    note = exercise.note or getattr(exercise.problem, "note", "")
    if note:
        out.print(f"  {note}", markup=False)
    for number, is_right in marked.clauses.items():
        if not is_right or marked.is_right:
            out.print(f"  [dim]{number:<11}[/dim] {gist_of(plan, number)}", soft_wrap=True)
