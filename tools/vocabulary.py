"""Write the vocabulary into `docs/adding-a-rulebook.md`: the page tells no other story than the code."""

from __future__ import annotations

import sys
from pathlib import Path

from pitboss.rulebooks import trouble as trouble  # the vocabulary goes on there
from pitboss.rulebooks.vocabulary import Word, meaning

PAGE = Path(__file__).parent.parent / "docs/adding-a-rulebook.md"
MARK = "The words are closed: these and no others.\n"


def vocabulary() -> str:
    """Every word with its meaning, kind by kind."""
    parts = []
    for kind in Word.__subclasses__():
        words = "\n".join(f"| `{word}` | {meaning(word)} |" for word in kind)
        parts.append(f"\n**{kind.__name__}**\n\n| word | meaning |\n|---|---|\n{words}\n")
    return "".join(parts)


def page() -> str:
    """The page as it should be."""
    return PAGE.read_text().split(MARK)[0] + MARK + vocabulary()


if __name__ == "__main__":
    PAGE.write_text(page())
    sys.stdout.write(f"wrote {PAGE.name}\n")
