"""Who is there: sign-in by password, sessions kept on the server, locks, and the second person's own word.

A token is shown once, at the sign-in; the store has its hash. It carries a signature made with a key of the
floor, so that a process recognises tokens that were never given out without asking the store. Three failures
lock an account for a while. A session of the house's staff locks after five minutes without activity.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from pitboss.floor.people import Asker
from pitboss.floor.ports import SECOND, Clock, Micros
from pitboss.server.passwords import check_password, least_length
from pitboss.store.identities import Identities, SignIn

STAFF, PLAYER = "staff", "player"
MOST_FAILURES = 3
LOCKED_MINUTES = 15
IDLE_MINUTES = 5
SESSION_HOURS = 12
COUNTERSIGN_SECONDS = 120
NOTED_SECONDS = 20
"""Activity is written down at most this often."""
NOTED_SECONDS_OF_PLAYERS = 300
"""That of players, whose sessions do not lock."""
CACHED_SECONDS = 30
"""How long a process trusts what it has read of a session, unless it hears that one has changed."""
MINUTE = 60 * SECOND
WRONG = (
    "Name and password do not match, or the account is locked: "
    f"after {MOST_FAILURES} failures it is for {LOCKED_MINUTES} minutes."
)
"""One sentence for all of it: nobody learns which names there are."""
MOST_CACHED = 20_000
SHORT_ID = 16
ENDED_SECONDS = 60
"""How long a process remembers that a session it made a token for has ended."""


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
    begun_at: Micros
    active_at: Micros

    @property
    def short_id(self) -> str:
        """The id as lists show it: enough to name one session among those of a person."""
        return self.id[:SHORT_ID]

    @property
    def is_staff(self) -> bool:
        """Whether it is somebody of the house."""
        return self.asker.kind == STAFF


class Begun(NamedTuple):
    """A session just begun, with the token that nobody will be shown again."""

    token: str
    session: Session


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _of_no_password(hasher: PasswordHasher) -> str:
    """A hash that no password has; to check one against it takes as long as against any other."""
    salt, value = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2{hasher.type.name.lower()}$v={ARGON2_VERSION}${costs}${salt}${value}"


def token_key(deck_key: bytes) -> bytes:
    """The key that tokens are signed with: every process of a floor has it, and the database does not."""
    return hmac.digest(deck_key, b"pitboss session tokens", "sha256")


class Identity:
    """Sign-in on a floor. Checking a password takes a while on purpose: call it off the floor's thread."""

    def __init__(
        self,
        identities: Identities,
        clock: Clock,
        *,
        hasher: PasswordHasher | None = None,
        idle: int = IDLE_MINUTES,
        key: bytes = b"",
    ) -> None:
        self.identities = identities
        self._clock = clock
        self._hasher = hasher or PasswordHasher()
        self._idle = idle * MINUTE
        self._nobody = _of_no_password(self._hasher)
        self._cached: dict[str, tuple[Micros, SignIn]] = {}
        self._ended: dict[str, Micros] = {}
        self._key = key
        self._lock = threading.Lock()

    # --- passwords ------------------------------------------------------------------------------------

    def set_password(
        self, kind: str, name: str, password: str, *, position: str = "", house: str = ""
    ) -> None:
        """Give a person a password; every session they have ends. Raises `BadInput` for one that is too weak.

        `position` decides how long it is at least; `house` is the name of the house: not to be repeated.
        """
        self.share_password(((kind, name, position),), password, house=house)

    def share_password(
        self, accounts: Sequence[tuple[str, str, str]], password: str, *, house: str = ""
    ) -> None:
        """Give several people, by kind, name and position, one password, hashed once: as on a demo floor."""
        for kind, name, position in accounts:
            least = least_length(position, staff=kind == STAFF)
            check_password(password, least=least, names=(name, house, position))
        hashed = self._hasher.hash(password) if accounts else ""
        for kind, name, _ in accounts:
            self.identities.set_password(kind, name, hashed, at=self._clock.now())
            self._forget(kind, name)

    def check(self, kind: str, name: str, password: str) -> str:
        """The hash that the account has for it. Raises `NotSignedIn` unless it is the password.

        The answer does not tell which of the two was wrong.
        """
        account = self.identities.account(kind, name)
        now = self._clock.now()
        try:
            self._hasher.verify(self._nobody if account is None else account.password, password)
            matches = account is not None
        except (VerificationError, InvalidHashError):
            matches = False
        locked = account is not None and account.locked_until > now
        if locked or not matches:
            if account is not None and not locked:
                until = Micros(now + LOCKED_MINUTES * MINUTE)
                self.identities.failed(kind, name, most=MOST_FAILURES, locked_until=until)
            raise NotSignedIn("wrong-password", WRONG)
        assert account is not None
        if account.failures:
            self.identities.unlock(kind, name)
        if not self._hasher.check_needs_rehash(account.password):
            return account.password
        newer = self._hasher.hash(password)
        self.identities.rehash(kind, name, newer, before=account.password)
        return newer

    # --- sessions -------------------------------------------------------------------------------------

    def sign_in(self, kind: str, name: str, password: str) -> Begun:
        """Begin a session. Raises `NotSignedIn`."""
        return self.begin(kind, name, shown=self.check(kind, name, password))

    def begin(self, kind: str, name: str, *, shown: str | None = None) -> Begun:
        """A session for a person who has shown who they are.

        `shown` is the hash of the password that was checked. Checking takes a while: raises `NotSignedIn`
        where the account has another one by now.
        """
        token, now = self._new_token(), self._clock.now()
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
        if not self.identities.begin(row, shown=shown):
            raise NotSignedIn("wrong-password", WRONG)
        return Begun(token, self._session(row, now))

    def _new_token(self) -> str:
        random = secrets.token_urlsafe(32)
        return f"{random}.{self._signature(random)}" if self._key else random

    def _signature(self, random: str) -> str:
        made = hmac.digest(self._key, random.encode("utf-8", "surrogatepass"), "sha256")
        return base64.urlsafe_b64encode(made[:18]).decode()

    def is_signed(self, token: str) -> bool:
        """Whether this floor gave the token out. The store is not asked, so that guesses cost it nothing.

        False for a token of before tokens were signed, which may still be good.
        """
        random, dot, signature = token.partition(".")
        if not self._key or not dot:
            return False
        given = signature.encode("utf-8", "surrogatepass")
        return hmac.compare_digest(given, self._signature(random).encode())

    def session(self, token: str) -> Session:
        """Who a token belongs to. Raises `NotSignedIn`. A locked session is returned as such."""
        now, hashed = self._clock.now(), _hash(token)
        row = self._fresh(hashed, now)
        if row is None:
            row = None if self._has_ended(hashed, now) else self.identities.find(hashed)
            if row is None or row.purpose != "session":
                self._drop(hashed)
                self._remember_ended(hashed, now)
                raise NotSignedIn("signed-out", "Nobody is signed in here; sign in.")
            self._keep(hashed, now, row)
        if row.ends_at <= now:
            raise NotSignedIn("session-ended", "The session is over; sign in again.")
        return self._session(row, now)

    def known(self, token: str) -> Session | None:
        """The session if it is known here without asking the store."""
        now = self._clock.now()
        row = self._fresh(_hash(token), now)
        return None if row is None or row.ends_at <= now else self._session(row, now)

    def _fresh(self, hashed: str, now: Micros) -> SignIn | None:
        with self._lock:
            found = self._cached.get(hashed)
        if found is None or not 0 <= now - found[0] < CACHED_SECONDS * SECOND:
            return None
        return found[1]

    def _keep(self, hashed: str, at: Micros, row: SignIn) -> None:
        with self._lock:
            self._cached[hashed] = (at, row)
            if len(self._cached) > MOST_CACHED:
                old = [key for key, (then, _) in self._cached.items() if at - then > CACHED_SECONDS * SECOND]
                for key in old:
                    del self._cached[key]

    def _has_ended(self, hashed: str, now: Micros) -> bool:
        """Whether a session is known to have ended: one that has never begins again."""
        with self._lock:
            at = self._ended.get(hashed)
        return at is not None and 0 <= now - at < ENDED_SECONDS * SECOND

    def _remember_ended(self, hashed: str, now: Micros) -> None:
        with self._lock:
            if hashed not in self._ended and len(self._ended) >= MOST_CACHED:
                self._ended.clear()
            self._ended.setdefault(hashed, now)
            if now - self._ended[hashed] >= ENDED_SECONDS * SECOND:
                self._ended[hashed] = now

    def forget_all(self) -> None:
        """Sessions have changed elsewhere: each is looked up again."""
        with self._lock:
            self._cached.clear()

    def _drop(self, hashed: str) -> None:
        with self._lock:
            self._cached.pop(hashed, None)

    def _session(self, row: SignIn, now: Micros) -> Session:
        idle = row.kind == STAFF and now - row.active_at > self._idle
        locked = row.locked or idle
        asker = Asker(row.kind, row.name)
        return Session(row.id, asker, row.csrf, row.ends_at, locked, row.begun_at, row.active_at)

    def is_noted(self, session: Session) -> bool:
        """Whether it is written down, recently enough, that a session is used."""
        seconds = NOTED_SECONDS if session.is_staff else NOTED_SECONDS_OF_PLAYERS
        with self._lock:
            cached = self._cached.get(session.id)
        return cached is None or self._clock.now() - cached[1].active_at < seconds * SECOND

    def active(self, session: Session) -> None:
        """Somebody has done something with his session; it stays open. A locked one stays locked."""
        with self._lock:
            cached = self._cached.get(session.id)
        if cached is None or session.locked:
            return
        now = self._clock.now()
        self.identities.active(session.id, now)
        self._keep(session.id, cached[0], cached[1]._replace(active_at=now))

    def lock(self, session: Session) -> None:
        """Lock a session until its owner gives the password again."""
        self.identities.set_locked(session.id, self._clock.now(), locked=True)
        self._drop(session.id)

    def unlock(self, session: Session, password: str) -> None:
        """Open a locked session again. Raises `NotSignedIn` for a wrong password."""
        self.check(session.asker.kind, session.asker.name, password)
        self.identities.set_locked(session.id, self._clock.now(), locked=False)
        self._drop(session.id)

    def is_signed_in(self, kind: str, name: str) -> bool:
        """Whether somebody has a session that is not over."""
        return self.identities.signed_in_until(kind, name) > self._clock.now()

    def sign_out(self, session: Session) -> None:
        """End a session."""
        self.identities.end(session.id)
        self._drop(session.id)

    def sessions(self, kind: str, name: str) -> list[Session]:
        """Every session of a person that is not over, the oldest first."""
        now = self._clock.now()
        rows = self.identities.sessions_of(kind, name)
        return [self._session(row, now) for row in rows if row.ends_at > now]

    def end(self, session_id: str) -> None:
        """End the session of an id, here and in every other process."""
        self.identities.end(session_id)
        self._drop(session_id)

    def end_account(self, kind: str, name: str, *, before: Micros | None = None) -> None:
        """End password, sessions and words of a person; with `before`, those that are older."""
        self.identities.remove(kind, name, before=before)
        self._forget(kind, name)

    def _forget(self, kind: str, name: str) -> None:
        with self._lock:
            theirs = [key for key, (_, row) in self._cached.items() if (row.kind, row.name) == (kind, name)]
            for key in theirs:
                del self._cached[key]

    # --- the second person ----------------------------------------------------------------------------

    def countersign(self, name: str, password: str, bound: str) -> str:
        """The word of a second person, by his own password: a token that is good once, and not for long.

        It is `bound` to one asker and one request, to the letter.
        """
        shown = self.check(STAFF, name, password)
        token, now = secrets.token_urlsafe(24), self._clock.now()
        given = self.identities.begin(
            SignIn(
                id=_hash(token),
                kind=STAFF,
                name=name,
                purpose="countersign",
                csrf=bound,
                begun_at=now,
                active_at=now,
                ends_at=Micros(now + COUNTERSIGN_SECONDS * SECOND),
                locked=False,
            ),
            shown=shown,
        )
        if not given:
            raise NotSignedIn("wrong-password", WRONG)
        return token

    def take_word(self, token: str, name: str, bound: str) -> SignIn | None:
        """Takes the word that somebody gave for this; None if he did not, or too long ago."""
        found = self.identities.find(_hash(token)) if token else None
        if found is None or found.purpose != "countersign" or found.ends_at <= self._clock.now():
            return None
        if (found.name, found.csrf) != (name, bound):
            return None
        return found if self.identities.end(found.id) else None

    def give_back(self, word: SignIn) -> None:
        """What the word was given for was not done; it is still good."""
        self.identities.begin(word)
