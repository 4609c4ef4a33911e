"""Whatever is done to the database of a floor is found and named: by `verify`, and by the verifier of the export."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.cli.main import run
from pitboss.floor.codec import FLOOR_NAMES
from pitboss.play.codec import EVENT_NAMES as PLAY_NAMES
from pitboss.store.engine import open_engine, sqlite_url
from pitboss.store.keeping import export_all
from pitboss.store.sql import SqlStore
from pitboss.verification import verify
from support.eventful import eventful_floor
from support.floor import House, jackpot_hit
from support.forging import ALARMS, NOT_FOUND, ONLY_INSIDE, Forged, fields, forge
from support.tampering import (
    BUSY,
    EVENTFUL,
    PAPERS,
    WAYS,
    WITH_AN_EVENT,
    Named,
    event_names,
    is_named,
)
from verify_export import verify_export

pytestmark = pytest.mark.whole
WAYS_TRIED = int(os.environ.get("PROVE_TAMPERINGS", "1"))
"""`make prove PART=tampering` tries 1,200. Every way is tried as often as any other, and never less than once."""
LONG = "PROVE_TAMPERINGS" in os.environ
"""Every kind of event is tried in every way; else a few are drawn."""
PARTS = 4
Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def floors(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Settings]:
    """A floor with jackpots and a few hundred rounds, and checkpoints kept elsewhere; and one with payout slips.

    On the second nothing was signed yet: whatever is sealed anew there only its own sense can show.
    """
    folder = tmp_path_factory.mktemp("tampering")
    busy, papers = Settings(folder / "busy"), Settings(folder / "papers")
    simulate = ["floor", "simulate", "--tables", "3", "--hours", "0.1", "--seed", "5"]
    assert run([*simulate, "--data", str(busy.data)]) == 0
    assert run(["floor", "checkpoint", "--data", str(busy.data)]) == 0
    assert run(["export", "checkpoints", "-o", str(folder / "kept.jsonl"), "--data", str(busy.data)]) == 0
    papers.data.mkdir()
    house = House(SqlStore(open_engine(sqlite_url(papers.data / "floor.db"))), physical=True)
    house.link()
    house.table("mbs-stud-6", link="mega")
    jackpot_hit(house)
    house.steps("pit-manager: report wrong-count dealer reconstructable=no")
    jackpot_hit(house)
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    house.table("mbs-stud-6", "t2", players=("p3",), cards="virtual")
    house.steps("dealer: open bets", "p3@1: wager ante 25", table="t2")
    house.store.close()
    many = Settings(folder / "eventful")
    many.data.mkdir()
    eventful_floor(many.data / "floor.db")
    return {BUSY: busy, PAPERS: papers, EVENTFUL: many}


def kept_of(name: str, floors: Mapping[str, Settings]) -> Path | None:
    return floors[name].data.parent / "kept.jsonl" if name == BUSY else None


def exported(where: Settings, folder: Path) -> Path:
    store = open_store(where)
    try:
        export_all(store, folder, checkpoint_key(where, create=False))
    finally:
        store.close()
    return folder


@pytest.mark.parametrize("name", [BUSY, PAPERS, EVENTFUL])
def test_the_record_holds_before_anything_is_done_to_it(
    floors: Mapping[str, Settings], tmp_path: Path, name: str
) -> None:
    kept = kept_of(name, floors)
    assert verify(floors[name], kept=kept).problems == ()
    assert verify_export(exported(floors[name], tmp_path / "export"), kept=kept) == []


def tampered(
    floor: Settings, copy: Path, do: Callable[[sqlite3.Connection], Named]
) -> tuple[Settings, Named]:
    """A copy of a floor, and what a verifier has to name of it."""
    shutil.copytree(floor.data, copy)
    database = sqlite3.connect(copy / "floor.db")
    database.row_factory = sqlite3.Row
    wanted = do(database)
    database.commit()
    database.close()
    return Settings(copy), wanted


def _with(do: Callable[..., Named], rng: Random, *more: str) -> Callable[[sqlite3.Connection], Named]:
    return lambda database: do(database, rng, *more)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_way_of_tampering_is_found_and_named(
    floors: Mapping[str, Settings], tmp_path: Path, part: int, record_property: Record
) -> None:
    tried = 0
    for seed in range(part, max(WAYS_TRIED, len(WAYS)), PARTS):
        way = WAYS[seed % len(WAYS)]
        kept = kept_of(way.floor, floors)
        copy = tmp_path / str(seed)
        where, wanted = tampered(floors[way.floor], copy, _with(way.do, Random(seed)))
        found = [str(problem) for problem in verify(where, kept=kept, processes=1).problems]
        assert is_named(wanted, found), (seed, way.name, wanted, found[:3])
        outside = verify_export(exported(where, copy / "export"), kept=kept)
        if way.why_not_exported:
            assert outside == [], (seed, way.name, way.why_not_exported)
        else:
            assert is_named(wanted, outside), (seed, way.name, wanted, outside[:3])
        shutil.rmtree(copy)
        tried += 1
    record_property("tamperings", tried)


@pytest.mark.parametrize("do", WITH_AN_EVENT, ids=lambda do: do.__name__)
@pytest.mark.parametrize("floor", [BUSY, EVENTFUL])
def test_an_event_of_every_kind_is_found_and_named(
    floors: Mapping[str, Settings],
    tmp_path: Path,
    floor: str,
    do: Callable[..., Named],
    record_property: Record,
) -> None:
    """A kind of event of which there is one among thousands is hardly ever drawn among all of them."""
    database = sqlite3.connect(floors[floor].data / "floor.db")
    names = event_names(database)
    database.close()
    seeds = range(len(names)) if LONG else Random(do.__name__).sample(range(len(names)), 3)
    kept = kept_of(floor, floors)
    record_property("tamperings", len(seeds))
    for seed in seeds:
        copy = tmp_path / str(seed)
        do_it = _with(do, Random(seed), f"name = '{names[seed]}'")
        where, wanted = tampered(floors[floor], copy, do_it)
        found = [str(problem) for problem in verify(where, kept=kept, processes=1).problems]
        outside = verify_export(exported(where, copy / "export"), kept=kept)
        for problems in (found, outside):
            assert is_named(wanted, problems), (names[seed], wanted, problems[:3])
        shutil.rmtree(copy)


def forged_fields(floors: Mapping[str, Settings]) -> list[Forged]:
    database = sqlite3.connect(floors[EVENTFUL].data / "floor.db")
    try:
        return fields(database)
    finally:
        database.close()


UNFOUND = frozenset(
    Forged(name, field) for names in NOT_FOUND.values() for name, listed in names.items() for field in listed
)


def test_every_kind_of_event_is_there_to_be_forged(floors: Mapping[str, Settings]) -> None:
    found = forged_fields(floors)
    assert {forged.name for forged in found} == {*PLAY_NAMES, *FLOOR_NAMES} - ALARMS
    assert set(found) >= UNFOUND


@pytest.mark.parametrize("part", range(PARTS))
def test_a_field_changed_before_it_was_signed_is_found_by_both_or_listed_as_one_that_cannot_be(
    floors: Mapping[str, Settings], tmp_path: Path, part: int, record_property: Record
) -> None:
    """One field of one event is changed and its stream sealed anew; all else stays as it was."""
    listed = sorted(UNFOUND)
    others = sorted(set(forged_fields(floors)) - UNFOUND)
    if not LONG:
        rng = Random(part)
        listed, others = rng.sample(listed, 3), rng.sample(others, 9)
    else:
        listed, others = listed[part::PARTS], others[part::PARTS]
    record_property("fields", len(listed) + len(others))
    for forged in (*listed, *others):
        copy = tmp_path / f"{forged.name}-{forged.field}"
        where, wanted = tampered(floors[EVENTFUL], copy, _forging(forged))
        inside = [str(problem) for problem in verify(where, processes=1).problems]
        outside = verify_export(exported(where, copy / "export"))
        due = forged not in UNFOUND
        also = due and (forged.name, forged.field) not in ONLY_INSIDE
        assert (bool(inside), bool(outside)) == (due, also), (forged, wanted, inside[:2], outside[:2])
        shutil.rmtree(copy)


def _forging(forged: Forged) -> Callable[[sqlite3.Connection], Named]:
    return lambda database: (forge(database, forged),)
