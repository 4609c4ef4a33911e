"""Variables of the environment that look like settings and are none."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any

from pitboss.cli.app import command_line
from pitboss.cli.configuration import GENERAL, OTHER_VARIABLES
from pitboss.cli.grammar import LOOK_AT_SETTINGS, options_of, variable

_OURS = "PITBOSS_"
_KNOWN = frozenset((*GENERAL.values(), *OTHER_VARIABLES))


def unknown_variables(given: Iterable[str], *, verb: str = "") -> Iterator[str]:
    """What is wrong with each of them, and the one that was probably meant.

    With a verb only those that it would have listened to: its own, and those that begin like no verb's.
    """
    if verb in LOOK_AT_SETTINGS:  # they speak of all variables themselves
        return
    strange = [name for name in sorted(given) if name.startswith(_OURS) and name not in _KNOWN]
    if verb:
        strange = [name for name in strange if _verb_of(name) in ("", verb)]
    if not strange:
        return
    known = _KNOWN | set(_every_variable())
    for name in strange:
        if name not in known:
            yield f"{name}: no setting is called so; {_meant(name, known)}"


def _verb_of(name: str) -> str:
    """The verb whose option a variable would be, by how it begins; nothing if by none."""
    from pitboss.cli.main import VERBS

    begins = {_OURS + verb.upper().replace("-", "_") + "_": verb for verb in VERBS}
    return max(
        ((len(start), verb) for start, verb in begins.items() if name.startswith(start)), default=(0, "")
    )[1]


def _meant(name: str, known: Iterable[str]) -> str:
    """Compared without what all of them begin with, which would make everything look alike."""
    bare = {one.removeprefix(_OURS): one for one in sorted(known)}
    close = difflib.get_close_matches(name.removeprefix(_OURS), list(bare), n=1, cutoff=0.6)
    return f"did you mean '{bare[close[0]]}'?" if close else "'pitboss config' shows those there are"


def _every_variable() -> Iterator[str]:
    from pitboss.cli.main import VERBS

    waiting: list[tuple[tuple[str, ...], Any]] = [((), command_line(VERBS))]
    while waiting:
        path, command = waiting.pop()
        yield from (variable(path, option) for option in options_of(command))
        if hasattr(command, "list_commands"):
            waiting += [((*path, n), command.get_command(None, n)) for n in command.list_commands(None)]
