"""Style that is executed: rules about the code that a reader would otherwise have to enforce."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support import BOOKS

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted((ROOT / "src").rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.splitlines() if (ROOT / name).is_file()]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_code_asks_which_rulebook_it_runs(path: Path) -> None:
    """The ids may stand in texts for people (help, the tour's round), never in code that decides."""
    for node in ast.walk(tree_of(path)):
        if isinstance(
            node, ast.Compare | ast.Match | ast.Dict | ast.Set | ast.Subscript | ast.If | ast.IfExp
        ):
            test = node.test if isinstance(node, ast.If | ast.IfExp) else node
            for inner in ast.walk(test):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    assert inner.value not in BOOKS, f"{path.name}:{inner.lineno}"
            assert "identity.id ==" not in ast.unparse(test)


@pytest.mark.parametrize("package", ["cards", "rulebooks", "play"])
def test_the_core_names_no_rulebook_at_all(package: str) -> None:
    for path in (ROOT / "src/pitboss" / package).rglob("*.py"):
        for book in BOOKS:
            assert book not in path.read_text(), path


def test_no_module_is_called_by_what_it_is_not() -> None:
    assert not {path.stem for path in SOURCES} & {"utils", "helpers", "common", "misc"}


@pytest.mark.parametrize("package", ["cards", "rulebooks", "play"])
def test_the_core_holds_no_float(package: str) -> None:
    for path in (ROOT / "src/pitboss" / package).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), path
            assert not (isinstance(node, ast.Name) and node.id == "float"), path


STAND_INS = {
    "MemoryStore": ("Store", "Reader"),
    "SqlReader": ("Unit", "Reader"),
    "SqlStore": ("Store", "Reader"),
    "SecureCards": ("CardSource",),
    "SeededCards": ("CardSource",),
    "Threads": ("Workers",),
    "Cluster": ("Workers",),
}
"""Classes whose methods are those of a protocol, which says what they promise."""


def _silent(tree: ast.Module | ast.ClassDef, before: str = "") -> Iterator[str]:
    """Public names without a docstring, with the class they belong to."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield f"{before}{node.name}"
        if isinstance(node, ast.ClassDef):
            yield from _silent(node, f"{before}{node.name}.")


def _promised() -> set[str]:
    """Every method that some class documents, as `Class.method`."""
    return {
        f"{node.name}.{inner.name}"
        for path in SOURCES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
        for inner in node.body
        if isinstance(inner, ast.FunctionDef) and ast.get_docstring(inner)
    }


def test_every_public_name_says_what_it_promises() -> None:
    """Modules, classes, functions and methods; `register` of a verb is what `cli.main` says it is."""
    silent, promised = [], _promised()
    for path in SOURCES:
        tree = tree_of(path)
        if tree.body and ast.get_docstring(tree) is None:
            silent.append(str(path.relative_to(ROOT)))
        for name in _silent(tree):
            owner, _, method = name.partition(".")
            elsewhere = any(f"{kind}.{method}" in promised for kind in STAND_INS.get(owner, ()))
            verb = name == "register" and path.parent.name == "cli"
            if not elsewhere and not verb:
                silent.append(f"{path.relative_to(ROOT)}: {name}")
    assert silent == []


REGISTRIES = r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|deb\.debian\.org|\bsnapshot\.debian\.org"
LOCAL = r"localhost|127\.0\.0\.1|HOST|\{|\[localhost|[\w.]*\bexample\b"
"""This machine, and placeholders."""
NOWHERE = re.compile(rf"{REGISTRIES}|/root/|/home/\w+/")
ONLY_IN_DOCUMENTS = re.compile(rf"https?://(?!www\.apache\.org|{LOCAL})\S+")
DOCUMENTS = (".md", "package-lock.json")
"""Documents cite their sources by name and public address; a lock file names the sponsors of what it locks."""


def misplaced_address(name: str, text: str) -> str:
    """The first registry or machine path, and outside documents the first public address; empty if there is none."""
    found = NOWHERE.search(text) or (None if name.endswith(DOCUMENTS) else ONLY_IN_DOCUMENTS.search(text))
    return found[0] if found else ""


def test_no_file_names_a_registry_a_machine_path_or_in_code_an_address() -> None:
    for path in tracked_files():
        if path.name not in ("LICENSE", Path(__file__).name):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert misplaced_address(path.name, text) == "", path


def test_no_file_names_a_folder_that_a_source_distribution_may_not_name() -> None:
    """The short form of `make prove PART=wheel`, which looks into what is built."""
    sys.path.insert(0, str(ROOT / "tools"))
    artefacts = importlib.import_module("artefacts")
    files = {str(path.relative_to(ROOT)): path.read_bytes() for path in tracked_files()}
    assert list(artefacts.path_problems("sdist", files)) == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("page.md", "GLI-19, https://gaminglabs.com/gli-standards/", ""),
        ("page.md", "from https://pypi.org/simple", "pypi.org"),
        ("package-lock.json", '"resolved": "https://registry.npmjs.org/x.tgz"', "npmjs.org"),
        ("page.md", "cd /" + "root/pitboss", "/root/"),
        ("module.py", "https://gaminglabs.com", "https://gaminglabs.com"),
        ("module.py", "http://127.0.0.1:8000", ""),
    ],
)
def test_documents_cite_public_addresses_and_code_does_not(name: str, text: str, found: str) -> None:
    assert misplaced_address(name, text) == found


def test_the_page_about_rulebooks_lists_the_vocabulary_as_it_is() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    vocabulary = importlib.import_module("vocabulary")
    assert vocabulary.PAGE.read_text() == vocabulary.page(), "run: python tools/vocabulary.py"
