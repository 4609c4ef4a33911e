"""Who is there: sign-in by password, sessions kept on the server, locks, and the second person's own word.

A token is shown once, to whoever signs in; the store has its hash. Three failures lock an account for a
while. A session of the house's staff locks when nobody has done anything with it for five minutes.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pitboss.errors import BadInput
from pitboss.floor.people import Asker
from pitboss.floor.ports import SECOND, Clock, Micros
from pitboss.store.identities import Identities, SignIn

STAFF, PLAYER = "staff", "player"
MOST_FAILURES = 3
LOCKED_MINUTES = 15
IDLE_MINUTES = 5
SESSION_HOURS = 12
COUNTERSIGN_SECONDS = 120
NOTED_SECONDS = 20
"""Activity is written down at most this often."""
CACHED_SECONDS = 1
"""How long a process trusts what it has read of a session: a sign-out elsewhere reaches it in that time."""
LEAST_PASSWORD, LONGEST_PASSWORD = 8, 200
MINUTE = 60 * SECOND


class NotSignedIn(Exception):  # noqa: N818 - it is an answer
    """Nobody is signed in by this token. `code` tells why, `message` what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class Locked(Exception):  # noqa: N818 - it is an answer
    """The session is locked; its owner opens it with his password."""


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody signed in."""

    id: str
    asker: Asker
    csrf: str
    ends_at: Micros
    locked: bool

    @property
    def is_staff(self) -> bool:
        return self.asker.kind == STAFF


class Begun(NamedTuple):
    """A session just begun, with the token that nobody will be shown again."""

    token: str
    session: Session


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Identity:
    """Sign-in on a floor. Checking a password takes a while on purpose: call it off the floor's thread."""

    def __init__(
        self,
        identities: Identities,
        clock: Clock,
        *,
        hasher: PasswordHasher | None = None,
        idle: int = IDLE_MINUTES,
    ) -> None:
        self.identities = identities
        self._clock = clock
        self._hasher = hasher or PasswordHasher()
        self._idle = idle * MINUTE
        self._nobody = self._hasher.hash(secrets.token_hex(8))
        self._cached: dict[str, tuple[Micros, SignIn]] = {}

    # --- passwords ------------------------------------------------------------------------------------

    def set_password(self, kind: str, name: str, password: str) -> None:
        """Gives somebody a password; whoever is signed in as him is not any more."""
        if not LEAST_PASSWORD <= len(password) <= LONGEST_PASSWORD or not password.isprintable():
            raise BadInput(
                "password",
                "cannot be used",
                f"use {LEAST_PASSWORD} to {LONGEST_PASSWORD} printable characters",
            )
        self.identities.set_password(kind, name, self._hasher.hash(password), at=self._clock.now())
        self._forget(kind, name)

    def check(self, kind: str, name: str, password: str) -> None:
        """Raises `NotSignedIn` unless it is the password. Nobody learns which of the two was wrong."""
        account = self.identities.account(kind, name)
        now = self._clock.now()
        if account is not None and account.locked_until > now:
            minutes = -(-(account.locked_until - now) // MINUTE)
            raise NotSignedIn(
                "locked-out", f"Too many failures; try again in {minutes} minutes, or ask the pit."
            )
        try:
            self._hasher.verify(self._nobody if account is None else account.password, password)
            matches = account is not None
        except (VerificationError, InvalidHashError):
            matches = False
        if not matches:
            if account is not None:
                until = Micros(now + LOCKED_MINUTES * MINUTE)
                self.identities.failed(kind, name, most=MOST_FAILURES, locked_until=until)
            raise NotSignedIn("wrong-password", "Name and password do not match.")
        assert account is not None
        if account.failures:
            self.identities.unlock(kind, name)
        if self._hasher.check_needs_rehash(account.password):
            self.identities.rehash(kind, name, self._hasher.hash(password))

    # --- sessions -------------------------------------------------------------------------------------

    def sign_in(self, kind: str, name: str, password: str) -> Begun:
        """Begin a session. Raises `NotSignedIn`."""
        self.check(kind, name, password)
        return self.begin(kind, name)

    def begin(self, kind: str, name: str) -> Begun:
        """A session for somebody who has shown who he is."""
        token, now = secrets.token_urlsafe(32), self._clock.now()
        row = SignIn(
            id=_hash(token),
            kind=kind,
            name=name,
            purpose="session",
            csrf=secrets.token_urlsafe(24),
            begun_at=now,
            active_at=now,
            ends_at=Micros(now + SESSION_HOURS * 60 * MINUTE),
            locked=False,
        )
        self.identities.begin(row)
        return Begun(token, self._session(row, now))

    def session(self, token: str) -> Session:
        """Who a token belongs to. Raises `NotSignedIn`. A locked session is returned as such."""
        now, hashed = self._clock.now(), _hash(token)
        cached = self._cached.get(hashed)
        if cached is None or not 0 <= now - cached[0] < CACHED_SECONDS * SECOND:
            found = self.identities.find(hashed)
            if found is None or found.purpose != "session":
                self._cached.pop(hashed, None)
                raise NotSignedIn("signed-out", "Nobody is signed in here; sign in.")
            self._cached[hashed] = (now, found)
        row = self._cached[hashed][1]
        if row.ends_at <= now:
            raise NotSignedIn("session-ended", "The session is over; sign in again.")
        return self._session(row, now)

    def known(self, token: str) -> Session | None:
        """The session if it is known here without asking the store."""
        hashed = _hash(token)
        cached, now = self._cached.get(hashed), self._clock.now()
        if cached is None or not 0 <= now - cached[0] < CACHED_SECONDS * SECOND or cached[1].ends_at <= now:
            return None
        return self._session(cached[1], now)

    def _session(self, row: SignIn, now: Micros) -> Session:
        idle = row.kind == STAFF and now - row.active_at > self._idle
        return Session(row.id, Asker(row.kind, row.name), row.csrf, row.ends_at, row.locked or idle)

    def is_noted(self, session: Session) -> bool:
        """Whether it is written down that somebody does something with his session."""
        cached = self._cached.get(session.id)
        return cached is None or self._clock.now() - cached[1].active_at < NOTED_SECONDS * SECOND

    def active(self, session: Session) -> None:
        """Somebody has done something with his session; it stays open. A locked one stays locked."""
        cached = self._cached.get(session.id)
        if cached is None or session.locked:
            return
        now = self._clock.now()
        self.identities.active(session.id, now)
        self._cached[session.id] = (cached[0], cached[1]._replace(active_at=now))

    def lock(self, session: Session) -> None:
        self.identities.set_locked(session.id, self._clock.now(), locked=True)
        self._cached.pop(session.id, None)

    def unlock(self, session: Session, password: str) -> None:
        """Open a locked session again. Raises `NotSignedIn` for a wrong password."""
        self.check(session.asker.kind, session.asker.name, password)
        self.identities.set_locked(session.id, self._clock.now(), locked=False)
        self._cached.pop(session.id, None)

    def sign_out(self, session: Session) -> None:
        self.identities.end(session.id)
        self._cached.pop(session.id, None)

    def _forget(self, kind: str, name: str) -> None:
        for hashed in [key for key, (_, row) in self._cached.items() if (row.kind, row.name) == (kind, name)]:
            del self._cached[hashed]

    # --- the second person ----------------------------------------------------------------------------

    def countersign(self, name: str, password: str) -> str:
        """The word of a second person, by his own password: a token that is good once, and not for long."""
        self.check(STAFF, name, password)
        token, now = secrets.token_urlsafe(24), self._clock.now()
        self.identities.begin(
            SignIn(
                id=_hash(token),
                kind=STAFF,
                name=name,
                purpose="countersign",
                csrf="",
                begun_at=now,
                active_at=now,
                ends_at=Micros(now + COUNTERSIGN_SECONDS * SECOND),
                locked=False,
            )
        )
        return token

    def countersigned(self, token: str) -> str:
        """Who gave this word; it is used up. Empty for one that nobody gave, or too long ago."""
        found = self.identities.find(_hash(token)) if token else None
        if found is None or found.purpose != "countersign" or found.ends_at <= self._clock.now():
            return ""
        return found.name if self.identities.end(found.id) else ""
