"""Whatever is done to the database of a floor is found and named: by `verify`, and by the verifier of the export."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest

from pitboss.bootstrap import Settings, checkpoint_key, open_store
from pitboss.cli.main import run
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from support.tampering import WAYS, tamper
from verify_export import verify_export

pytestmark = pytest.mark.whole
WAYS_TRIED = int(os.environ.get("PITBOSS_TAMPERINGS", "120"))
"""`make prove` tries 1,200."""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A floor with jackpots and a few hundred rounds, and checkpoints that were kept elsewhere."""
    where = Settings(tmp_path_factory.mktemp("tampering") / "floor")
    simulate = [
        "floor",
        "simulate",
        "--tables",
        "3",
        "--hours",
        "0.1",
        "--seed",
        "5",
        "--data",
        str(where.data),
    ]
    assert run(simulate) == 0
    assert run(["floor", "checkpoint", "--data", str(where.data)]) == 0
    kept = where.data.parent / "kept.jsonl"
    assert run(["export", "checkpoints", "-o", str(kept), "--data", str(where.data)]) == 0
    return where


def database_of(where: Settings) -> Path:
    return next(path for path in where.data.iterdir() if path.suffix in (".db", ".sqlite", ".sqlite3"))


def exported(where: Settings, folder: Path) -> Path:
    store = open_store(where)
    try:
        export_all(store, folder, checkpoint_key(where, create=False))
    finally:
        store.close()
    return folder


def test_the_record_holds_before_anything_is_done_to_it(floor: Settings, tmp_path: Path) -> None:
    kept = floor.data.parent / "kept.jsonl"
    assert verify(floor, kept=kept).problems == ()
    assert verify_export(exported(floor, tmp_path / "export"), kept=kept) == []


@pytest.mark.parametrize("part", range(4))
def test_every_way_of_tampering_is_found_and_named(floor: Settings, tmp_path: Path, part: int) -> None:
    kept = floor.data.parent / "kept.jsonl"
    tried: set[str] = set()
    for seed in range(part, WAYS_TRIED, 4):
        copy = tmp_path / str(seed)
        shutil.copytree(floor.data, copy)
        where = Settings(copy)
        database = sqlite3.connect(database_of(where))
        database.row_factory = sqlite3.Row
        name, place = tamper(database, Random(seed))
        database.close()
        tried.add(name)
        found = [str(problem) for problem in verify(where, kept=kept, processes=1).problems]
        assert found, (seed, name, place)
        assert any(place in problem for problem in found), (seed, name, place, found[:3])
        outside = verify_export(exported(where, copy / "export"), kept=kept)
        assert outside, (seed, name, place)
        assert any(place in problem for problem in outside), (seed, name, place, outside[:3])
        shutil.rmtree(copy)
    assert len(tried) > len(WAYS) // 2
