"""The floor that is frozen with a version: `PYTHONPATH=tests python -m support.freezing tests/frozen/floor-NN.db.xz`.

It has everything of the eventful floor, a hit by the other way of sharing, a practice table and another reading.
Its decks are sealed with `DECK_KEY`, its checkpoint is signed with `SIGNING_KEY`: neither is a secret.
"""

from __future__ import annotations

import lzma
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.floor import requests as q
from pitboss.floor.ports import Micros
from pitboss.money import Cents
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.keeping import make_checkpoint
from pitboss.store.sql import SqlStore
from support.eventful import eventful
from support.floor import FLOAT, RWS_HIT, House, rws, rws_on

FROZEN = Path(__file__).parent.parent / "frozen"
DECK_KEY = b"k" * 32
SIGNING_KEY = Ed25519PrivateKey.from_private_bytes(b"c" * 32)


def make(file: Path) -> None:
    """The floor, signed, as one SQLite file."""
    store = SqlStore(open_engine(sqlite_url(file)))
    house = eventful(store)
    _second_link(house)
    _practice(house)
    make_checkpoint(store, SIGNING_KEY, Micros(house.clock.at))
    store.close()
    database = sqlite3.connect(file)
    for statement in ("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode=DELETE", "VACUUM"):
        database.execute(statement)
    database.close()


def _second_link(house: House) -> None:
    """Hits in the order of the deal, each of the meter as the one before left it; a link in another currency."""
    figures: dict[str, Any] = {
        "unit": Cents(500),
        "reset": Cents(10_000_000),
        "increment_bp": 2000,
        "reserve_bp": 500,
    }
    house.ok("gina", q.OpenLink(link="dollars", currency="USD", approved_by="gus", **figures))
    house.link("multi")
    house.table("rws-thp-2", "t7", players=("p11",), link="multi", procedure="shuffler")
    rws(house, "t7", RWS_HIT)
    rws_on(house, "t7")
    house.steps("dealer: settle", table="t7")
    house.ok("mara", q.VerifyClaim(link="multi", claim=1))
    house.steps("dealer: settle", table="t7")


def _practice(house: House) -> None:
    """A table that plays for nothing, by another reading of its book."""
    house.ok("gina", q.AddTable(table="t8"))
    book = house.book("mbs-3cp-2023", R_QUALIFY_3CP="a")
    house.ok("mara", q.OpenTable(table="t8", rulebook=book, count=FLOAT, practice=True))
    house.ok("saul", q.AssignStaff(table="t8", person="dora"))
    house.ok("dora", q.BuyIn(table="t8", player="p11", amount=Cents(500_000)))
    house.steps("dealer: open bets", "p11@1: wager ante 25", "p11@1: wager pair-plus 5", table="t8")
    house.steps("dealer: close bets", "dealer: deal", "p11@1: view", "p11@1: bet play", table="t8")
    house.steps("dealer: reveal dealer", "dealer: reveal community", "dealer: settle", table="t8")


def thawed(frozen: Path, folder: Path) -> Path:
    """A frozen floor as its folder of data, keys and all."""
    from cryptography.hazmat.primitives import serialization as s

    folder.mkdir()
    (folder / "floor.db").write_bytes(lzma.decompress(frozen.read_bytes()))
    pem = SIGNING_KEY.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption())
    for name, content in (("deck.key", DECK_KEY.hex().encode()), ("checkpoint.pem", pem)):
        (folder / name).touch(mode=0o600)
        (folder / name).write_bytes(content)
    return folder


if __name__ == "__main__":
    target = Path(sys.argv[1])
    if target.exists():
        sys.exit(f"{target} is frozen already; name a new file")
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch) / "floor.db"
        make(made)
        target.write_bytes(lzma.compress(made.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")
