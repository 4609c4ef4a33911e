"""The documents are true: every block of every page is run or parsed, and what is shown is what happens.

Here is what takes a moment; `tests/whole/test_docs_service.py` has the rest, page by page from the first
block to the last.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from pitboss.rulebooks import read_document, validate
from support import pitboss
from support.page_blocks import (
    COMMANDS,
    DATA,
    NOT_RUN,
    ROOT,
    SHELL,
    SILENT,
    blocks,
    commands,
    in_order,
    long_pages,
    pages,
    quick_pages,
)
from support.page_runner import PageRunner

README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", pages())
def test_every_block_belongs_to_a_runner(page: str) -> None:
    """A block in a language nobody runs, or a command nobody knows, would be claimed by no test."""
    for block in blocks(page):
        assert block.language in (*COMMANDS, *DATA, *SILENT, "python"), f"{page}:{block.line}"
        for command in commands(block):
            assert command.is_known, f"{page}:{block.line}: {command.text}"
        if block.language not in SILENT:
            assert page in (*quick_pages(), *long_pages())
    fences = re.findall(r"(?m)^ *```", (ROOT / page).read_text())
    assert len(fences) == 2 * len(blocks(page)), f"{page} has a fence that is not seen"


@pytest.mark.parametrize("page", quick_pages())
def test_what_a_page_says_is_so(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PageRunner(page, tmp_path, monkeypatch, quick=True).run()
    assert _not_ignored(tmp_path) == []


def _not_ignored(folder: Path) -> list[str]:
    """What a page has left behind and `.gitignore` does not know: in a clone it would hold up a release."""
    ignored = [line for line in (ROOT / ".gitignore").read_text().splitlines() if line.startswith("/")]
    return sorted(
        name
        for name in (f"/{left.name}{'/' if left.is_dir() else ''}" for left in folder.iterdir())
        if name not in ("/.home/", "/script.py") and not any(fnmatch(name, pattern) for pattern in ignored)
    )


PROGRAMS = frozenset(
    ("pitboss", "make", "git", "pip", "docker", "curl", "sudo", "npm", "debootstrap", "chroot", *SHELL)
)
ONLY_SHOWN = {
    "docs/fresh-clone.md:7": "a new Debian in a folder takes minutes and the rights of root; the record shows it",
}
"""Commands in blocks that nobody runs, and why."""


def test_no_command_hides_in_a_block_that_is_only_shown() -> None:
    hidden = {
        f"{page}:{block.line}"
        for page in pages()
        for block in blocks(page)
        if block.language in SILENT and not block.file and block.text.split()[:1]
        if Path(block.text.split()[0]).name in PROGRAMS
    }
    assert hidden == set(ONLY_SHOWN)


def test_a_block_of_python_needs_no_other_block() -> None:
    """Whoever copies one finds everything in it that it uses, but for a name the page gives before."""
    for page in pages():
        for block in blocks(page):
            if block.language == "python" and re.search(r"(?m)(?<![\w.])pitboss\.\w", block.text):
                assert re.search(r"(?m)^(import pitboss|from pitboss)", block.text), f"{page}:{block.line}"


@pytest.mark.parametrize("entry", NOT_RUN, ids=lambda entry: entry.pattern)
def test_what_is_not_run_is_shown_by_a_test(entry: object) -> None:
    file, _, name = entry.shown_by.partition("::")  # type: ignore[attr-defined]
    assert f"def {name}(" in (ROOT / file).read_text()


def test_what_the_pages_make_can_be_made() -> None:
    """Every target of the Makefile that a page names; nothing is made."""
    targets = {
        command.words.removeprefix("make ")
        for page in pages()
        for block in blocks(page)
        for command in commands(block)
        if command.words.startswith("make ")
    }
    assert {"run", "test", "check"} <= targets
    done = subprocess.run(
        "\n".join(f"make -n {target} > /dev/null || exit 1" for target in sorted(targets)),
        shell=True,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_lines_that_were_not_printed_are_noticed() -> None:
    said = ["one", "two", "three"]
    assert in_order(("one", "…", "three"), said) == ""
    assert in_order(("one", "three"), said) == "three"
    assert in_order(("two", "three"), said) == "two"
    assert in_order(("…", "two"), said) == "two (and then 'three')"
    assert in_order(("…", "two", "…"), said) == ""
    assert in_order(("four",), said) == "four"


def test_a_page_that_is_not_true_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of untruth, on a page of its own."""
    wrong = (
        "```sh\npitboss rules show nothing-such\n```\n",
        "```console\n$ pitboss rules list\na line that is not printed\n```\n",
        "```json\n{not json}\n```\n",
        "```python\n\"a\".upper()  # 'B'\n```\n",
    )
    for number, text in enumerate(wrong):
        page = tmp_path / f"{number}.md"
        page.write_text(text)
        with pytest.raises((AssertionError, ValueError)):
            PageRunner(str(page), tmp_path, monkeypatch, quick=True).run()


def test_the_other_reading_of_the_readme_s_round_pays_as_told(tmp_path: Path) -> None:
    for block in blocks("README.md"):
        told = re.search(r'"readings": \{"(R-[\w-]+)": "(\w)"\}`\s+the same round wins him (\S+)\. ', README)
        if block.file == "round.json" and told:
            other = json.loads(block.text) | {"readings": {told[1]: told[2]}}
            (tmp_path / "round.json").write_text(json.dumps(other))
            settled = json.loads(pitboss("settle", str(tmp_path / "round.json"), "--json").out)
            assert settled["seats"][0]["net"] == told[3]


def test_books_on_the_pages_are_rulebooks(tmp_path: Path) -> None:
    """Every file that extends a book has no defect, whatever else the page does with it."""
    found = [
        block
        for page in pages()
        for block in blocks(page)
        if block.language == "toml" and "extends" in tomllib.loads(block.text)
    ]
    assert len(found) >= 3
    for block in found:
        (tmp_path / "book.toml").write_text(block.text)
        defects = validate(read_document(str(tmp_path / "book.toml")))
        assert defects == [], f"{block.page}:{block.line}"


@pytest.mark.parametrize("page", pages())
def test_links_between_documents_lead_somewhere(page: str) -> None:
    """In the repository; `make docs` sees to those of the site. Pages made at its build are not there yet."""
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", (ROOT / page).read_text()):
        if "//" in target:  # elsewhere
            continue
        path = (ROOT / page).parent / target
        made = re.search(r"/(reference|register|readings|remedies)/[\w-]+\.md$", str(path.resolve()))
        at_root = path.name in ("contributing.md", "security.md", "changelog.md")
        assert path.exists() or made or at_root, f"{page}: {target}"
