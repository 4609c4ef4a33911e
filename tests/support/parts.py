"""What every module of Pitboss imports, read from its text, and the parts it cannot be imported without."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from pitboss.parts import NEEDS, PARTS

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src"
IMPORTED_AS = {"argon2-cffi": "argon2"}
"""Distributions that are imported under another name than their own."""


@dataclass(frozen=True)
class Module:
    """The imports of a module: those that are done with it, and all of them, by their whole names."""

    at_once: frozenset[str]
    anywhere: frozenset[str]
    required: frozenset[str]
    """Parts that the module itself asks for when it is imported."""


def import_name(distribution: str) -> str:
    """The name under which a distribution is imported."""
    return IMPORTED_AS.get(distribution, re.sub(r"[-.]", "_", distribution).lower())


def with_needed(parts: frozenset[str]) -> frozenset[str]:
    """Parts, and the parts that come with them; `all` are all."""
    if "all" in parts:
        return frozenset(PARTS)
    return parts.union(*(NEEDS.get(part, ()) for part in parts))


@cache
def declared() -> dict[str, tuple[Requirement, ...]]:
    """What pyproject.toml declares: for the base under the empty name, for every extra under its own."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lists = {"": project["dependencies"], **project["optional-dependencies"]}
    return {extra: tuple(map(Requirement, texts)) for extra, texts in lists.items()}


@cache
def packages_of(extra: str) -> frozenset[str]:
    """The packages of an extra by the names they are imported under, without those of other extras."""
    return frozenset(import_name(each.name) for each in declared()[extra] if each.name != "pitboss")


@cache
def files() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for file in sorted((SOURCE / "pitboss").rglob("*.py")):
        parts = list(file.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def modules() -> dict[str, Module]:
    """What every module of the package imports."""
    return {name: _read(ast.parse(file.read_text(encoding="utf-8"))) for name, file in files().items()}


def _read(tree: ast.Module) -> Module:
    at_once = list(_done_at_once(tree.body))
    required = {
        part.value
        for node in at_once
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        if isinstance(node.value.func, ast.Name) and node.value.func.id == "require"
        for part in node.value.args
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }
    return Module(
        frozenset(name for node in at_once for name in _names(node)),
        frozenset(name for node in ast.walk(tree) for name in _names(node)),
        frozenset(required),
    )


def _done_at_once(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported; what is for the type checker alone is left out."""
    for node in body:
        if isinstance(node, ast.If):
            if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
                yield from _done_at_once(node.body)
            yield from _done_at_once(node.orelse)
        elif isinstance(node, ast.Try | ast.With):
            yield from _done_at_once(node.body)
        else:
            yield node


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module is not None:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def third_party(names: frozenset[str]) -> frozenset[str]:
    """The packages among imported names that are neither ours nor Python's."""
    tops = {name.partition(".")[0] for name in names}
    return frozenset(tops - {"pitboss"} - sys.stdlib_module_names)


@cache
def needs(name: str) -> frozenset[str]:
    """The parts without which a module cannot be imported: its own, and those of what it imports."""
    found: set[str] = set()
    waiting, seen = [name], {name}
    while waiting:
        current = waiting.pop()
        module = modules()[current]
        found |= module.required
        packages = third_party(module.at_once) - packages_of("")
        found |= {next(part for part in PARTS if package in PARTS[part]) for package in packages}
        ours = {each for each in (*module.at_once, current.rpartition(".")[0]) if each in modules()}
        ours |= {each.rpartition(".")[0] for each in ours} & set(modules())
        waiting += ours - seen
        seen |= ours
    return frozenset(found)
