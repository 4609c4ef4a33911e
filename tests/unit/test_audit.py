"""Dependencies are what was pinned; `make audit` asks the advisory services too."""

from __future__ import annotations

import json
from importlib.metadata import distributions
from pathlib import Path

import pytest

from audit import OURSELVES, ROOT, canonical, main, pinned, python_problems, web_problems


@pytest.mark.whole
def test_every_package_is_installed_as_pinned() -> None:
    assert len(pinned()) > 100
    assert python_problems() == []


def test_every_package_of_the_client_has_a_hash_and_no_address() -> None:
    assert web_problems() == []


@pytest.mark.whole
def test_the_bill_of_materials_names_every_pinned_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The short form, without a network and without the tools of `make audit`."""
    file = tmp_path / "sbom.json"
    assert main(["--short-bill", str(file)]) == 0, capsys.readouterr().out
    bill = json.loads(file.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    python = {part["name"]: part for part in bill["components"] if part["purl"].startswith("pkg:pypi/")}
    told = {name: part["version"] for name, part in python.items() if name not in OURSELVES}
    assert told == {name: version for name, version in pinned().items() if name not in OURSELVES}
    here = {canonical(package.metadata["Name"]) for package in distributions()}
    said = {
        name for name, part in python.items() if part["properties"] == [{"name": "installed", "value": "yes"}]
    }
    assert here - OURSELVES <= said <= here
    web = [part for part in bill["components"] if part["purl"].startswith("pkg:npm/")]
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert len(web) == len(lock) - 1 > 50
    assert {"svelte", "vite"} <= {part["name"] for part in web}
    assert all(len(part["hashes"][0]["content"]) == 128 for part in web)

    name = sorted(here - OURSELVES)[
        0
    ]  # a version that was not pinned would be found, and stand in the bill as it is
    monkeypatch.setattr("audit.pinned", lambda: pinned() | {name: "0.0.0"})
    assert main(["--short-bill", str(file)]) == 1
    assert "pinned is 0.0.0" in capsys.readouterr().out
    bill = json.loads(file.read_text(encoding="utf-8"))
    assert next(part["version"] for part in bill["components"] if part["name"] == name) == pinned()[name]
