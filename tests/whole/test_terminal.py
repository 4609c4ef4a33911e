"""Terminal manners that take longer: examples that count, and the settings on the page about the terminal."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from pitboss.bootstrap import Settings
from pitboss.cli.app import build_app
from pitboss.cli.checkups import check_database
from pitboss.store.engine import REVISION
from support import pitboss
from support.databases import fresh_database
from support.page_blocks import blocks, commands, long_pages

pytestmark = pytest.mark.whole


def on_a_page() -> set[str]:
    """The commands that tests/whole/test_docs_service.py runs."""
    return {command.text for page in long_pages() for block in blocks(page) for command in commands(block)}


@pytest.mark.parametrize("verb", ["advise", "simulate", "jackpot", "par", "shuffle-test", "report"])
def test_the_examples_of_the_long_commands_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if verb == "report":
        day = ("floor", "simulate", "--tables", "2", "--hours", "0.05", "--data", "floor")
        assert pitboss(*day).code == 0
    command = typer.main.get_command(build_app((verb,)))
    examples = command.get_command(None, verb).examples  # type: ignore[attr-defined]
    assert examples
    for example in set(examples) - on_a_page():
        planted = "--planted" in example
        ran = pitboss(*shlex.split(example)[1:])
        if (
            verb == "shuffle-test" and ran.code == 1 and not planted
        ):  # at 99 % one fair shuffle in a hundred fails
            ran = pitboss(*shlex.split(example)[1:])
        assert ran.code == (1 if planted else 0), (example, ran.err)


def test_the_doctor_asks_postgresql(tmp_path: Path, postgres: str) -> None:
    database = fresh_database(postgres)
    (empty,) = check_database(Settings(tmp_path, database))
    assert (empty.verdict, empty.found) == ("warning", "postgresql answers, no floor in it")
    assert pitboss("floor", "create", "x", "--data", str(tmp_path), "--database", database).code == 0
    (found,) = check_database(Settings(tmp_path, database))
    assert (found.verdict, found.found) == ("ok", f"postgresql answers, store {REVISION}")


# --- the page about it ------------------------------------------------------------------------------------------

PAGE = (Path(__file__).parent.parent.parent / "docs" / "terminal.md").read_text()


def test_the_settings_of_the_page_are_taken(tmp_path: Path) -> None:
    """Its commands are run with those of all pages: tests/unit/test_docs.py."""
    settings = tmp_path / "settings.toml"
    (toml,) = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    settings.write_text(toml)
    assert read_settings(settings) == {"serve": {"port": 8080}, "floor": {"simulate": {"tables": 3}}}


def read_settings(file: Path) -> dict[str, Any]:
    """Some of the page's settings as Pitboss takes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PITBOSS_CONFIG", str(file))
        for command in (("serve",), ("floor", "simulate"), ("analyze",)):
            assert pitboss("config", *command).code == 0
        serve = json.loads(pitboss("config", "serve", "--json").out)["settings"]
        day = json.loads(pitboss("config", "floor", "simulate", "--json").out)["settings"]
    return {
        "serve": {"port": int(serve["serve.port"]["value"])},
        "floor": {"simulate": {"tables": int(day["floor.simulate.tables"]["value"])}},
    }
