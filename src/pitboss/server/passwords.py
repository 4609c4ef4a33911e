"""Which passwords are good enough: long enough for the position, not among the first guesses, no names.

NIST SP 800-63B asks for a minimum length, for a check against common passwords, and for no rules about kinds
of characters. Guessing over the network is stopped by the lock after three failures; the lengths are for the
day the hashes leak. People who give second signatures, and surveillance, need the most.
"""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.errors import BadInput
from pitboss.floor.people import by_console

LEAST_FOR_PLAYERS, LEAST_FOR_STAFF, LEAST_FOR_SECOND_PERSONS = 8, 10, 12
LONGEST_PASSWORD = 200
LEAST_NAME, LEAST_BESIDE_NAMES = 3, 6
"""A name is at least so long, and beside names there are at least so many letters and digits."""
LEAST_SCORE = 3
"""Of zxcvbn's 0 to 4: from here on it takes more than a hundred million guesses."""
LEAST_WORD = 4
SINGLE_WORD_GUESSES = 10**4
"""Letters that take fewer guesses are one common word; a year and signs beside it are guessed, too."""
TRADE = ("pitboss", "casino", "macau", "baccarat", "poker", "blackjack", "roulette", "jackpot", "dealer")
"""Words that are a first guess in this trade."""
_LOOKED_AT = 72
"""zxcvbn looks at no more characters; what is longer is not guessed by its beginning."""


def least_length(position: str, *, staff: bool) -> int:
    """The least number of characters for the password of a person; players have no position."""
    if not staff:
        return LEAST_FOR_PLAYERS
    return LEAST_FOR_SECOND_PERSONS if by_console(position) else LEAST_FOR_STAFF


def check_password(password: str, *, least: int, names: Iterable[str] = ()) -> None:
    """Raises `BadInput` for a password that cannot be taken; `names` are the person's and the house's."""
    if not password.isprintable():
        raise BadInput("password", "it has characters that cannot be typed", "use letters, digits and signs")
    if not least <= len(password) <= LONGEST_PASSWORD:
        problem = "it is too short" if len(password) < least else "it is too long"
        raise BadInput("password", problem, f"use {least} to {LONGEST_PASSWORD} characters")
    from zxcvbn import zxcvbn

    known = sorted({part for name in names for part in (name, *name.split()) if part}, key=len, reverse=True)
    named, rest = "", password.casefold()
    for part in (part for part in known if len(part) >= LEAST_NAME and part.casefold() in rest):
        named, rest = named or part, rest.replace(part.casefold(), "")
    left = sum(sign.isalnum() for sign in rest)
    inputs = [*TRADE, *known]
    letters = "".join(sign for sign in password[:_LOOKED_AT] if sign.isalpha())
    strong = zxcvbn(password[:_LOOKED_AT], user_inputs=inputs)["score"] >= LEAST_SCORE
    if len(letters) >= LEAST_WORD and len(letters) < len(password):
        strong = strong and zxcvbn(letters, user_inputs=inputs)["guesses"] >= SINGLE_WORD_GUESSES
    if strong and (not named or left >= LEAST_BESIDE_NAMES):
        return
    problem = f"the name {named} makes it easy to guess" if named else "it is easy to guess"
    raise BadInput("password", problem, "use four or more words that do not belong together")
