"""How generated pages write Markdown: tables, links to clauses, and words that come from the data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pitboss.rulebooks import Plan
from pitboss.rulebooks.brief import spoken


def cell(text: str) -> str:
    """A text as one cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; nothing where there is no row."""
    lines = ["| " + " | ".join(cell(part) for part in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *lines]) + "\n"


def code(text: object) -> str:
    """A word of the data or of code."""
    return f"`{text}`"


def fenced(text: str, language: str = "") -> str:
    """A block of code."""
    return f"```{language}\n{text.strip()}\n```\n"


def plain(text: str) -> str:
    """A text in which nothing is markup: what stands in the data is shown as it stands."""
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", text)


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


def slug(text: str) -> str:
    """A text as part of an address."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", text).strip("-").lower()


def clause_anchor(number: str) -> str:
    """Where a clause stands on the page of its register."""
    return f"c-{slug(number)}"


def clause_links(plan: Plan, numbers: Iterable[str], *, up: str = "../") -> str:
    """Clauses, each as a link to the register of its book."""
    return ", ".join(
        f"[{plain(number)}]({up}register/{plan.id}.md#{clause_anchor(number)})"
        for number in dict.fromkeys(str(number) for number in numbers)
    )


def reading_link(plan: Plan, label: str, *, up: str = "../") -> str:
    """A reading as a link to where it stands with its prices."""
    return f"[{label}]({up}readings/{plan.id}.md#{slug(label)})"


def listed(names: Iterable[str], joint: str = "and") -> str:
    """Names as one says them: `Ante, Flop and Turn`."""
    found = list(names)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} {joint} {found[-1]}" if found else ""


def hand_name(name: str) -> str:
    """A class of hand or a row of a pay table, as a heading has it."""
    return capital(spoken(name))
