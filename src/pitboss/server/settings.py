"""What may be set about the service; the floor's own settings are the floor's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Defaults are those of one machine on its own network.

    `origins` are other addresses whose pages may use the service; `secure` marks cookies for HTTPS only;
    `proxies` are addresses that may say whom they ask for (X-Forwarded-For); nobody else is believed.
    `unsigned` lets a machine without the checkpoint key serve: what it records is signed elsewhere, or not.
    `per_second` bounds the requests of one session, `sign_ins_a_minute` those of one address.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    origins: tuple[str, ...] = ()
    secure: bool = False
    proxies: tuple[str, ...] = ()
    per_second: int = 60
    sign_ins_a_minute: int = 60
    idle_minutes: int = 5
    most_body: int = 2_500_000
    most_message: int = 4096
    most_sockets: int = 20_000
    most_sockets_an_address: int = 2000
    unsigned: bool = False
