"""The documents are true: what they show is what happens."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from pitboss.cards import Rank
from pitboss.rulebooks import load_plan, read_document, validate
from support import pitboss

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.S)


def test_the_round_of_the_readme_settles_as_shown(tmp_path: Path) -> None:
    example = blocks(README, "json")[2]
    (tmp_path / "round.json").write_text(example)
    shown = next(block for block in blocks(README, "console") if "settle round.json" in block)
    assert shown.startswith("$ pitboss settle round.json\n")
    out = [text.rstrip() for text in pitboss("settle", str(tmp_path / "round.json")).out.splitlines()]
    for text in shown.splitlines()[1:]:
        assert text in out
    other = json.loads(example) | {"readings": {"R-RWS-WALK": "b"}}
    (tmp_path / "round.json").write_text(json.dumps(other))
    (net,) = re.findall(r"wins him (\S+)\. ", README)
    assert json.loads(pitboss("settle", str(tmp_path / "round.json"), "--json").out)["seats"][0]["net"] == net


def test_the_script_of_the_readme_runs_as_shown(tmp_path: Path) -> None:
    (tmp_path / "evening.json").write_text(blocks(README, "json")[0])
    out = [text.rstrip() for text in pitboss("run", str(tmp_path / "evening.json")).out.splitlines()]
    for text in blocks(README, "console")[0].splitlines()[1:]:
        assert text in out
    assert "The round is settled." in out


def test_the_advice_of_the_readme_is_given_as_shown(tmp_path: Path) -> None:
    (tmp_path / "misdeal.json").write_text(blocks(README, "json")[1])
    ran = pitboss("rules", "remedy", "rws-thp-2", "misdeal", "--at", str(tmp_path / "misdeal.json"))
    out = [text.rstrip() for text in ran.out.splitlines()]
    for text in blocks(README, "console")[1].splitlines()[1:]:
        assert text in out


def test_the_commands_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = [text.split("#")[0].split() for block in blocks(README, "sh") for text in block.splitlines()]
    ran = [words[1:] for words in commands if words[:1] == ["pitboss"] and words[1] == "rules"]
    assert len(ran) >= 6  # those of the mathematics take longer: tests/whole/test_maths_reports.py
    for words in ran:
        assert pitboss(*words).code == 0, words


FLOOR = ("floor", "verify", "replay", "report", "backup", "restore", "export")


@pytest.mark.parametrize("page", ["README.md", "docs/floor.md"])
def test_the_commands_about_the_floor_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    """In the order of the page, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PITBOSS_DATA", "floor")
    lines = [text for block in blocks((ROOT / page).read_text(), "sh") for text in block.splitlines()]
    commands = [shlex.split(text, comments=True) for text in lines]
    ran = [words[1:] for words in commands if words[:1] == ["pitboss"] and words[1] in FLOOR]
    assert len(ran) >= 6
    for words in ran:
        if words[0] == "replay" and "." in words[1]:
            continue
        found = pitboss(*words)
        assert found.code == 0, (words, found.err)


def test_the_files_of_the_guide_are_rulebooks(tmp_path: Path) -> None:
    guide = (ROOT / "docs/adding-a-rulebook.md").read_text()
    own, queen = [re.sub(r"(?m)^   ", "", block) for block in blocks(guide, "toml")]
    for number, example in enumerate((own, queen)):
        (tmp_path / f"{number}.toml").write_text(example)
        assert validate(read_document(str(tmp_path / f"{number}.toml"))) == []
    assert load_plan(str(tmp_path / "0.toml")).id == "pair-plus-6-3"
    rule = load_plan(str(tmp_path / "1.toml")).qualification
    assert rule is not None
    assert rule.ranks == {Rank.JACK}


@pytest.mark.parametrize(
    "page", sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]), ids=lambda p: p.name
)
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page.name}: {target}"
