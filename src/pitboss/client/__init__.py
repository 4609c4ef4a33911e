"""A client of the service: typed and async, with a thin sync face.

It speaks the floor's own vocabulary (`pitboss.floor.requests`, `pitboss.play.commands`). Every change goes
out with a key, so that a retry after a lost connection does nothing twice; views resume where they were.
It comes with the optional part `server`; without it the import raises `MissingPart`.
"""

from pitboss.parts import require

require("server")  # before what the client is made of is imported

from pitboss.client.asking import Client
from pitboss.client.problems import BadField, ClientError, NotAllowed, Refused, SignedOut, Unavailable
from pitboss.client.sync import SyncClient
from pitboss.client.watching import JackpotMessage, TableMessage

__all__ = [
    "BadField",
    "Client",
    "ClientError",
    "JackpotMessage",
    "NotAllowed",
    "Refused",
    "SignedOut",
    "SyncClient",
    "TableMessage",
    "Unavailable",
]
