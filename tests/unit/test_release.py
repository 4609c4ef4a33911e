"""A release is refused unless everything about it is in order; each reason in a repository of its own."""

from __future__ import annotations

import hashlib
import re
import subprocess
from pathlib import Path

import pytest

import release
from pitboss.version import __version__

ROOT = Path(__file__).parent.parent.parent
GOOD = """# Changelog

## Unreleased

## 0.2.0 - 2030-01-31

### Rules and money
- A royal pays 100.

### Added
- A book.

## 0.1.0 - 2029-12-01

### Rules and money
- Nothing.
"""


class Repository:
    """A repository in which 0.2.0 can be released, until something is changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Test")
        self.git("config", "user.email", "test@localhost")
        self.git("config", "commit.gpgsign", "false")
        self.write("src/pitboss/version.py", '__version__ = "0.1.0"\n')
        self.write("CHANGELOG.md", "")
        self.commit()
        self.git("tag", "v0.1.0")
        self.write("src/pitboss/version.py", '"""The version."""\n\n__version__ = "0.2.0"\n')
        self.write("CHANGELOG.md", GOOD)
        self.commit()

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True)

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work")

    def changelog(self, old: str, new: str) -> None:
        assert old in GOOD
        self.write("CHANGELOG.md", GOOD.replace(old, new))
        self.commit()

    def refusals(self, version: str = "0.2.0") -> list[str]:
        return list(release.refusals(self.folder, version))


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_what_is_in_order_is_not_refused(repository: Repository) -> None:
    assert repository.refusals() == []


def test_a_changed_file_and_an_unknown_one_make_the_tree_unclean(repository: Repository) -> None:
    repository.write("note.txt", "mine")
    assert repository.refusals() == ["the tree is not clean: 1 changed or unknown, first ?? note.txt"]
    repository.commit()
    assert repository.refusals() == []
    repository.write("note.txt", "changed")
    assert repository.refusals() == ["the tree is not clean: 1 changed or unknown, first M note.txt"]


def test_another_branch(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "idea")
    assert repository.refusals() == ["this is branch idea; releases are made from main"]


@pytest.mark.parametrize("version", ["", "1", "v0.2.0", "0.2", "0.2.0rc1", "0.02.0", "0.2.0\n"])
def test_what_is_no_version(repository: Repository, version: str) -> None:
    (found,) = repository.refusals(version)
    assert "is no version" in found


@pytest.mark.parametrize("version", ["0.1.0", "0.0.9"])
def test_a_version_that_does_not_grow(repository: Repository, version: str) -> None:
    assert f"{version} does not grow: 0.1.0 is released" in repository.refusals(version)


def test_versions_grow_by_number_and_not_by_letter(repository: Repository) -> None:
    repository.git("tag", "v0.1.10")
    repository.git("tag", "vintage")
    assert repository.refusals() == []
    repository.git("tag", "v0.10.0")
    assert repository.refusals() == ["0.2.0 does not grow: 0.10.0 is released"]


def test_a_version_that_the_source_does_not_state(repository: Repository) -> None:
    repository.write("src/pitboss/version.py", '__version__ = "0.1.9"\n')
    repository.commit()
    assert repository.refusals() == ["src/pitboss/version.py says 0.1.9; set it to 0.2.0 and commit"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("## 0.2.0 - 2030-01-31", "## 0.2.1 - 2030-01-31", "has no section '## 0.2.0 - DATE'"),
        ("## 0.2.0 - 2030-01-31", "## 0.2.0", "has no date"),
        ("### Rules and money\n- A royal pays 100.\n\n", "", "begins with Added, not with Rules and money"),
        (
            "### Rules and money\n- A royal pays 100.\n\n### Added\n- A book.\n",
            "",
            "begins with nothing, not",
        ),
        ("## Unreleased\n", "## Unreleased\n\n### Added\n- More.\n", "still has entries under Unreleased"),
        (
            "## 0.2.0 - 2",
            "## 0.3.0 - 2030-02-28\n\n## 0.2.0 - 2",
            "the newest section of CHANGELOG.md is 0.3.0",
        ),
    ],
)
def test_a_changelog_that_does_not_say_what_is_released(
    repository: Repository, old: str, new: str, reason: str
) -> None:
    repository.changelog(old, new)
    (found,) = repository.refusals()
    assert reason in found


def test_every_reason_is_told_at_once(repository: Repository) -> None:
    repository.write("note.txt", "mine")
    repository.git("checkout", "-q", "-b", "idea")
    assert len(repository.refusals("0.0.1")) == 5


# --- what it does ---------------------------------------------------------------------------------------


def test_a_refusal_ends_with_1_and_nothing_is_run(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "ROOT", repository.folder)
    monkeypatch.setattr(release, "steps", lambda *_: pytest.fail("a step"))
    repository.write("note.txt", "mine")
    assert release.main(["0.2.0"]) == 1
    assert "not clean" in capsys.readouterr().out


def test_a_dry_run_says_everything_and_does_nothing(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "ROOT", repository.folder)
    monkeypatch.setattr(release, "run", lambda *_: pytest.fail("a command"))
    assert release.main(["0.2.0", "--dry-run"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 6
    assert all(line.startswith("would ") for line in said)
    assert said[-1] == "would tag v0.2.0"
    assert not (repository.folder / "dist").exists()
    assert release.released(repository.folder) == [(0, 1, 0)]


def test_problems_with_the_distributions_stop_it_before_the_tag(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "ROOT", repository.folder)
    monkeypatch.setattr(release, "run", lambda *_, **__: None)
    with pytest.raises(SystemExit, match="2 problems with the distributions; nothing is tagged"):
        release.main(["0.2.0"])
    assert release.released(repository.folder) == [(0, 1, 0)]


def test_a_check_that_fails_stops_it_before_the_tag(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository.folder / "Makefile").write_text("test:\n\tfalse\n")
    repository.commit()
    monkeypatch.setattr(release, "ROOT", repository.folder)
    assert release.main(["0.2.0"]) == 1
    assert capsys.readouterr().out.endswith("'make test' failed; nothing is tagged\n")
    assert release.released(repository.folder) == [(0, 1, 0)]


def test_the_sums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.whl").write_bytes(b"wheel")
    (tmp_path / "b.json").write_bytes(b"bill")
    sums = release.write_sums(tmp_path).read_text()
    assert sums == (
        f"{hashlib.sha256(b'wheel').hexdigest()}  a.whl\n{hashlib.sha256(b'bill').hexdigest()}  b.json\n"
    )
    assert release.write_sums(tmp_path).read_text() == sums
    subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True)


# --- this repository --------------------------------------------------------------------------------------


def test_the_version_is_written_in_one_place() -> None:
    assert release.number(__version__) is not None
    assert release.source_version(ROOT) == __version__
    project = (ROOT / "pyproject.toml").read_text()
    assert 'dynamic = ["version"]' in project
    assert not re.search(r'(?m)^version = "', project)
    for name in ("package.json", "lighthouse/package.json"):
        assert '"version": "0.0.0"' in (ROOT / "web" / name).read_text()


def test_every_part_of_the_changelog_begins_with_what_moves_money() -> None:
    found = release.sections((ROOT / "CHANGELOG.md").read_text())
    assert next(iter(found)) == "Unreleased"
    versions = [release.number(name) for name in found if name != "Unreleased"]
    assert None not in versions
    assert versions == sorted(versions, key=lambda version: version or (), reverse=True)
    for name, parts in found.items():
        assert parts[:1] in ([], [release.FIRST_SECTION]), name
        assert len(parts) == len(set(parts)), name
        assert set(parts) <= {
            release.FIRST_SECTION, "Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"
        }  # fmt: skip
