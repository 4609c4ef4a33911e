"""The key of the checkpoints: none is no silence, one that came with the record is said to have, one kept elsewhere counts."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import verify_export
from pitboss.bootstrap import Settings, checkpoint_key
from pitboss.cli.main import run
from pitboss.verification import verify


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor with a checkpoint, its public key kept beside."""
    folder = tmp_path_factory.mktemp("keys")
    floor = str(folder / "floor")
    assert run(["floor", "create", "x", "--data", floor]) == 0
    assert run(["floor", "checkpoint", "--data", floor]) == 0
    assert run(["export", "all", "-o", str(folder / "first"), "--data", floor]) == 0
    shutil.copy(folder / "first" / "checkpoint-key.txt", folder / "kept-key.txt")
    return folder


@pytest.fixture
def floor(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made / "floor", tmp_path / "floor")
    return tmp_path / "floor"


def outside(folder: Path, *more: str) -> int:
    before, sys.argv = sys.argv, ["verify_export.py", str(folder), *more]
    try:
        return verify_export.main()
    finally:
        sys.argv = before


def exported(floor: Path) -> Path:
    folder = floor.parent / "export"
    assert run(["export", "all", "-o", str(folder), "--data", str(floor)]) == 0
    return folder


def test_checkpoints_and_no_key_are_a_no(floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (floor / "checkpoint.pem").unlink()
    assert run(["verify", "--data", str(floor)]) == 1
    assert "checkpoint 1: there is no key" in capsys.readouterr().err
    assert run(["verify", "--unsigned", "--data", str(floor)]) == 0
    assert "signatures not checked" in capsys.readouterr().out
    folder = exported(floor)
    assert outside(folder) == 1
    told = capsys.readouterr().out
    assert "checkpoint 1: there is no key" in told
    assert "no signature checked" in told
    assert outside(folder, "--unsigned") == 0


def test_a_checkpoint_changed_and_the_key_gone_is_found_with_the_key_kept_elsewhere(
    made: Path, floor: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (floor / "checkpoint.pem").unlink()
    database = sqlite3.connect(floor / "floor.db")
    database.execute("UPDATE checkpoints SET at = at + 1")
    database.commit()
    database.close()
    key = str(made / "kept-key.txt")
    assert run(["verify", "--key", key, "--data", str(floor)]) == 1
    assert "checkpoint 1: its signature does not fit" in capsys.readouterr().err
    assert outside(exported(floor), "--key", key) == 1
    assert "checkpoint 1: its signature does not fit" in capsys.readouterr().out


def test_another_key_and_checkpoints_signed_with_it_are_found_with_the_key_kept_elsewhere(
    made: Path, floor: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever has the machine can sign anew; only a key that he could not reach shows it."""
    other = Ed25519PrivateKey.generate()
    form = serialization.PrivateFormat.PKCS8
    pem = other.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    (floor / "checkpoint.pem").write_bytes(pem)
    database = sqlite3.connect(floor / "floor.db")
    database.execute("DELETE FROM checkpoints")
    database.commit()
    database.close()
    assert run(["floor", "checkpoint", "--data", str(floor)]) == 0
    found = verify(Settings(floor))
    assert (found.ok, found.kept_key) == (True, False)
    assert found.key == other.public_key().public_bytes_raw().hex()
    key = made / "kept-key.txt"
    assert "checkpoint 1" in str(verify(Settings(floor), key=key).problems[0])
    folder = exported(floor)
    capsys.readouterr()
    assert outside(folder) == 0
    assert "which came with the export itself" in capsys.readouterr().out
    assert outside(folder, "--key", str(key)) == 1
    told = capsys.readouterr().out
    assert key.read_text().strip() in told
    assert "came with the export" not in told


def test_the_key_is_told(made: Path, floor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = checkpoint_key(Settings(floor), create=False)
    assert own is not None
    capsys.readouterr()
    assert run(["verify", "--json", "--key", str(made / "kept-key.txt"), "--data", str(floor)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["key"] == own.public_key().public_bytes_raw().hex()
    assert told["key_kept_elsewhere"] is True
    assert run(["verify", "--data", str(floor)]) == 0
    assert told["key"][:12] in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "zz", "00" * 31])
def test_a_file_that_is_no_key_is_bad_input(
    floor: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "key.txt"
    file.write_text(text)
    assert run(["verify", "--key", str(file), "--data", str(floor)]) == 2
    assert "is no public key" in capsys.readouterr().err
    assert outside(exported(floor), "--key", str(file)) == 2
    assert run(["verify", "--key", str(tmp_path / "none"), "--data", str(floor)]) == 2
