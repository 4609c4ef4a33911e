"""What may be set about the service; the floor's own settings are the floor's."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Defaults are those of one machine on its own network.

    `origins` are other addresses whose pages may use the service; `secure` marks cookies for HTTPS only and
    tells browsers to come by HTTPS from now on; `names` are host names the service answers to, beside bare
    addresses and this machine's own name; `proxies` are addresses that may say whom they ask for
    (X-Forwarded-For); no other address is believed.
    `unsigned` lets a machine without the checkpoint key serve: what it records is signed elsewhere, or not.
    `keep_answers_days` is for how long the answer to a request is kept, for a client that asks again.
    `per_second` bounds the requests of one session, and those of one address without a session;
    `sign_ins_a_minute` bounds the passwords that one address tries. `head_seconds` and `body_seconds` are how
    long the head and the body of a request may take to arrive. Sockets without a session have bounds of
    their own, so that they take no place of those with one; `most_connections_an_address` does not hold for
    `proxies`.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    origins: tuple[str, ...] = ()
    secure: bool = False
    names: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    per_second: int = 60
    sign_ins_a_minute: int = 60
    idle_minutes: int = 5
    most_body: int = 2_500_000
    most_message: int = 4096
    most_sockets: int = 20_000
    most_sockets_an_address: int = 2000
    most_anonymous_sockets: int = 4000
    most_anonymous_sockets_an_address: int = 250
    most_connections_an_address: int = 4000
    most_sockets_a_session: int = 100
    head_seconds: float = 15
    body_seconds: float = 120
    unsigned: bool = False
    keep_answers_days: int = 30

    @property
    def most_connections_needed(self) -> int:
        """How many connections there are when every socket that may be open is."""
        return self.most_sockets + self.most_anonymous_sockets

    @property
    def known_names(self) -> tuple[str, ...]:
        """Every host name the service was given: by `names`, by where it listens, and by its origins."""
        origins = (urlsplit(origin).hostname or "" for origin in self.origins)
        return (*self.names, self.host, *origins)
