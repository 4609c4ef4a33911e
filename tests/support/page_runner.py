"""Does what a page says: writes its files, runs its commands and its Python, and holds what is shown against it."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import yaml

from pitboss.bootstrap import Settings
from pitboss.floor.recall import recall, recalled, viewers_of
from support import pitboss
from support.databases import fresh_database
from support.floor import House
from support.page_blocks import (
    DATA,
    INTERACTIVE,
    ROOT,
    SILENT,
    Block,
    Command,
    blocks,
    commands,
    in_order,
    is_long,
)
from support.sent import as_sent
from support.service import Process

HERE = re.escape("127.0.0.1")


class PageRunner:
    """One page in one folder. With `quick` it does only what takes a moment."""

    def __init__(
        self, page: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *, quick: bool, postgres: str = ""
    ) -> None:
        self.page, self.folder, self.quick = page, folder, quick
        self.env = monkeypatch
        self.postgres, self.database = postgres, ""
        self.names: dict[str, Any] = {"__name__": "page"}
        self.served: list[Process] = []
        self.done = 0
        monkeypatch.chdir(folder)
        monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        for kind in ("DATA", "CONFIG", "STATE"):  # nobody's own files are read or written
            monkeypatch.setenv(f"XDG_{kind}_HOME", str(folder / ".home" / kind.lower()))
        if page in PREPARE:
            PREPARE[page](self)

    def run(self) -> int:
        """Everything in the order of the page; how much was done."""
        try:
            for block in blocks(self.page):
                self._block(block)
        finally:
            said = [process.stop() for process in self.served]
        assert not any("Traceback" in text for text in said), said
        return self.done

    def _block(self, block: Block) -> None:
        if block.language in DATA:
            self._data(block)
        elif block.language == "python":
            if not (self.quick and is_long(block)):
                self._python(block)
        elif block.file:
            self._write(block)
        elif block.language not in SILENT:
            for command in commands(block):
                self._command(block, command)

    def _data(self, block: Block) -> None:
        parse: Mapping[str, Callable[[str], Any]] = {
            "json": json.loads,
            "toml": tomllib.loads,
            "yaml": yaml.safe_load,
        }
        parse[block.language](block.text)
        if block.file:
            self._write(block)
        self.done += 1

    def _write(self, block: Block) -> None:
        Path(block.file).parent.mkdir(parents=True, exist_ok=True)
        Path(block.file).write_text(block.text)

    def _python(self, block: Block) -> None:
        """In one namespace for the page. `expression  # value` must have that value."""
        where = f"{block.page}:{block.line}"
        if "sys.argv" in block.text:
            script = self.folder / "script.py"
            script.write_text(block.text)
            given = sorted(path.name for path in self.folder.glob("*.json"))
            subprocess.run([sys.executable, str(script), *given], check=True, capture_output=True)
        else:
            lines = block.text.splitlines()
            for node in ast.parse(block.text, where).body:
                told = re.search(r"  # (.*)$", lines[node.end_lineno - 1]) if node.end_lineno else None
                if isinstance(node, ast.Expr) and told:
                    value = eval(compile(ast.Expression(node.value), where, "eval"), self.names)
                    assert repr(value) == told[1], where
                else:
                    exec(compile(ast.Module([node], []), where, "exec"), self.names)
        self.done += 1

    def _command(self, block: Block, command: Command) -> None:
        where = f"{block.page}:{block.line}: {command.text}"
        if command.untried is not None or (self.quick and command.is_long):
            return
        self.done += 1
        text = re.sub(r"/srv\b", str(self.folder), command.words)
        text = re.sub(r"(?<![\w/])(tools|docs)/", rf"{ROOT}/\1/", text)
        text = text.replace('"$PITBOSS_DATABASE"', shlex.quote(self.database))
        if self.served:
            text = re.sub(rf"http://{HERE}:\d+", self.served[-1].url, text)
        if text.startswith("export "):
            name, _, value = shlex.split(text)[1].partition("=")
            self.env.setenv(name, value)
        elif text.startswith("cd "):
            self.env.chdir(shlex.split(text)[1])
        elif command.verb == "serve":
            self._serve(shlex.split(os.path.expandvars(text)))
        else:
            code, out, err = self._said(command, text)
            if command.verb == "shuffle-test" and code == 1:  # at 99 % one fair shuffle in a hundred fails
                code, out, err = self._said(command, text)
            said = out + err
            answered = command.shown or command.verb in INTERACTIVE
            right = (0, 2) if command.is_refused else (0, 1) if answered else (0,)
            assert code in right, (where, said)
            assert "Traceback" not in said, (where, said)
            missing = in_order(command.shown, (err if command.is_refused else out).splitlines())
            assert not missing, f"{where}\nnot printed, or not there: {missing}\n{said}"

    def _said(self, command: Command, text: str) -> tuple[int, str, str]:
        """Exit code, and what was said on each channel."""
        if text.startswith("pitboss ") and not re.search(r"[|;&<>]|--server", text):
            self.env.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
            ran = pitboss(*shlex.split(os.path.expandvars(text))[1:])
            return ran.code, ran.out, ran.err
        done = subprocess.run(
            ["bash", "-c", text], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    def _serve(self, words: list[str]) -> None:
        """Start a server where the page starts one; it serves until the page has ended."""
        data = Path(words[words.index("--data") + 1])
        database = words[words.index("--database") + 1] if "--database" in words else ""
        more = ["--demo", "--pace", "0.05"] if "--demo" in words else []
        for process in self.served:
            process.stop()
        self.served = [Process(Settings(data, database), *more)]
        if more:
            self.env.setenv("PITBOSS_PASSWORD", (data / "demo-password").read_text().strip())


def _database(runner: PageRunner) -> None:
    """A floor in PostgreSQL, whose keys lie where the page says."""
    database = fresh_database(runner.postgres)
    runner.database = database  # a variable would be every command's default
    assert (
        pitboss("floor", "create", "x", "--data", f"{runner.folder}/keys", "--database", database).code == 0
    )


def _floor(runner: PageRunner) -> None:
    """A floor with a few rounds."""
    assert (
        pitboss(
            "floor", "simulate", "--tables", "1", "--hours", "0.02", "--seed", "7", "--data", "floor"
        ).code
        == 0
    )


def _saved_round(runner: PageRunner) -> None:
    """A round as a player's screen saves it."""
    house = House()
    house.table("mbs-stud-6")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
    house.steps("p1@1: view", "p1@1: bet bet", "dealer: reveal dealer", "dealer: settle")
    steps = recall(house.floor, house.store, "t1", 1)
    document = as_sent(recalled("t1", 1, steps, {"p1": viewers_of(steps)["p1"]}, told=False))
    (runner.folder / "round-12.json").write_text(json.dumps(document))


PREPARE: Mapping[str, Callable[[PageRunner], None]] = MappingProxyType(
    {
        "docs/operations.md": _database,
        "docs/reliability.md": _floor,
        "docs/fair-shuffle.md": _saved_round,
    }
)
"""What a page takes to be there already."""
