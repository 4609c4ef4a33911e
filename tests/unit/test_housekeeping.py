"""What keeps the house in order: the hooks before a commit, the forms of issues, the check of files."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import hygiene

ROOT = Path(__file__).parent.parent.parent
FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
KINDS = ("markdown", "input", "textarea", "dropdown", "checkboxes")


def hooks() -> list[dict[str, Any]]:
    return [hook for repository in HOOKS["repos"] for hook in repository["hooks"]]


# --- hooks ----------------------------------------------------------------------------------------------


def test_hooks_are_local_and_fetch_nothing() -> None:
    assert [repository["repo"] for repository in HOOKS["repos"]] == ["local"]
    assert {hook["language"] for hook in hooks()} == {"system"}
    assert {"hygiene", "ruff-format", "ruff-check", "mypy", "import-direction", "prettier"} <= {
        hook["id"] for hook in hooks()
    }


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: str(hook["id"]))
def test_what_a_hook_runs_is_there(hook: dict[str, Any]) -> None:
    program, *words = shlex.split(hook["entry"])
    folder, _, name = program.rpartition("/")
    assert folder == ".venv/bin"
    assert (Path(sys.executable).parent / name).exists(), program
    for word in words:
        if word.endswith(".py"):
            assert (ROOT / word).exists(), word


def test_pre_commit_finds_the_hooks_in_order(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"]
    subprocess.run(
        command,
        cwd=ROOT,
        check=True,
        capture_output=True,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )


def test_big_files_and_unfinished_merges_are_found(tmp_path: Path) -> None:
    big, merge, heading = tmp_path / "big.bin", tmp_path / "merge.py", tmp_path / "heading.md"
    big.write_bytes(b"x" * (hygiene.MOST_BYTES + 1))
    merge.write_text("<" * 7 + " ours\na = 1\n" + "=" * 7 + "\na = 2\n" + ">" * 7 + " theirs\n")
    heading.write_text("Heading\n" + "=" * 7 + "\n\ntext\n")
    found = list(hygiene.problems([big, merge, heading, tmp_path / "gone"]))
    assert found == [
        f"{big}: 500,001 bytes; at most 500,000 belong in a commit",
        f"{merge}: a merge is not finished",
    ]


def test_this_repository_has_neither() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert list(hygiene.problems(ROOT / name for name in listed.splitlines())) == []


# --- forms of issues -----------------------------------------------------------------------------------


def test_there_is_a_form_for_each_matter_and_no_empty_page() -> None:
    names = {form.stem for form in FORMS}
    assert names == {"wrong-payout", "reading", "rulebook", "defect", "idea", "config"}
    assert yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/config.yml").read_text()) == {
        "blank_issues_enabled": False
    }


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.stem != "config"], ids=lambda form: form.stem
)
def test_a_form_is_whole(form: Path) -> None:
    found = yaml.safe_load(form.read_text())
    assert set(found) == {"name", "description", "title", "labels", "body"}
    assert all(isinstance(found[key], str) for key in ("name", "description", "title"))
    ids = [part["id"] for part in found["body"] if part["type"] != "markdown"]
    assert len(ids) == len(set(ids)) >= 3
    for part in found["body"]:
        assert part["type"] in KINDS
        wanted = "value" if part["type"] == "markdown" else "label"
        assert isinstance(part["attributes"][wanted], str)
        if part["type"] == "dropdown":
            options = part["attributes"]["options"]
            assert all(isinstance(option, str) for option in options), "a bare yes or no is no text in YAML"
    assert any(part.get("validations", {}).get("required") for part in found["body"])


def test_who_reports_a_wrong_payout_gives_facts_settlement_and_clause() -> None:
    found = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/wrong-payout.yml").read_text())
    required = {part["id"] for part in found["body"] if part.get("validations", {}).get("required")}
    assert required == {"rulebook", "facts", "settlement", "expected", "clause", "version"}


def test_a_pull_request_is_asked_about_money_and_the_changelog() -> None:
    text = (ROOT / ".github/pull_request_template.md").read_text()
    assert "## Money" in text
    assert "CHANGELOG.md" in text
