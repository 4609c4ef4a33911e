"""The optional parts: what is declared is what is imported, and whatever is missing is said in one line."""

from __future__ import annotations

import pickle
import sys
from importlib import import_module
from pathlib import Path

import pytest

import pitboss as library
from pitboss.cli import main
from pitboss.errors import BadInput, MissingPart
from pitboss.parts import NEEDS, PARTS, is_installed, missing_part, require
from pitboss.server.pricing import Pricing, solved_before
from support import pitboss
from support.parts import declared, files, modules, needs, packages_of, third_party
from support.service import served, stud_on_a_link

THROUGH_UVICORN = {"httptools", "websockets"}
"""Packages that the server names to uvicorn, which imports them."""
OWNED = {
    "pitboss.maths.": {"maths", "reports"},
    "pitboss.fairness.": {"maths", "reports"},
    "pitboss.server.": {"server"},
    "pitboss.client": {"server"},
    "pitboss.cli.online": {"server"},
    "pitboss.store.postgres_": {"postgres"},
}
"""Modules that belong to parts. Every other one works with the base installation."""
DRAWINGS = {
    "pitboss.fairness.shuffle_report",
    "pitboss.maths.par_sheet",
    "pitboss.maths.par_writers",
    "pitboss.maths.plots",
}


def hide(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    for package in packages:
        monkeypatch.setitem(sys.modules, package, None)


# --- declared and imported ------------------------------------------------------------------------------


def test_the_parts_are_the_extras_of_the_package() -> None:
    extras = declared()
    for part, packages in PARTS.items():
        assert packages_of(part) == set(packages), part
        brought = {name for each in extras[part] if each.name == "pitboss" for name in each.extras}
        assert brought == set(NEEDS.get(part, ())), part
    (everything,) = extras["all"]
    assert (everything.name, everything.extras) == ("pitboss", set(PARTS))
    assert any("all" in each.extras for each in extras["dev"])


def test_every_package_that_is_imported_is_declared_and_every_declared_one_is_imported() -> None:
    imported = {package for module in modules().values() for package in third_party(module.anywhere)}
    wanted = packages_of("").union(*map(packages_of, PARTS))
    assert imported - wanted == set(), "not declared"
    assert wanted - imported - THROUGH_UVICORN == set(), "declared in vain"
    assert wanted >= THROUGH_UVICORN


@pytest.mark.parametrize("name", sorted(files()))
def test_a_module_needs_the_parts_it_belongs_to_and_no_other(name: str) -> None:
    """Also through whatever it imports: the base installation never loads a part by accident."""
    owned = next((parts for begin, parts in OWNED.items() if name.startswith(begin)), set())
    assert needs(name) <= owned
    assert ("reports" in needs(name)) == (name in DRAWINGS)


# --- what is missing is said ----------------------------------------------------------------------------


def test_a_missing_part_is_one_line_with_one_command() -> None:
    found = MissingPart("maths", place="--theory", instead="ask with --no-theory")
    assert isinstance(found, BadInput)
    assert isinstance(found, ImportError)
    assert str(found) == (
        "--theory: the part 'maths' is not installed; run: pip install 'pitboss[maths]', or ask with --no-theory"
    )
    again = pickle.loads(pickle.dumps(found))
    assert (type(again), str(again), again.parts) == (MissingPart, str(found), ("maths",))
    two = MissingPart("cluster", "reports")
    assert (
        str(two)
        == "the parts 'cluster' and 'reports' are not installed; run: pip install 'pitboss[cluster,reports]'"
    )


def test_a_part_is_there_when_all_of_it_and_all_it_needs_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(map(is_installed, PARTS))
    require(*PARTS)
    hide(monkeypatch, "scipy")
    assert {part for part in PARTS if not is_installed(part)} == {"maths", "reports", "cluster"}
    with pytest.raises(MissingPart, match=r"pitboss\[cluster\]"):
        require("server", "cluster")


def test_only_packages_of_parts_are_missing_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    found = missing_part(ModuleNotFoundError("no", name="litestar.openapi"))
    assert found is not None
    assert found.parts == ("server",)
    assert missing_part(ModuleNotFoundError("no", name="pitboss.nothing")) is None
    assert missing_part(ModuleNotFoundError("no")) is None

    def fail(arguments: list[str]) -> int:
        raise ModuleNotFoundError("no", name=arguments[0])

    monkeypatch.setattr(main, "_invoke", fail)
    ran = pitboss("numba.core")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "pitboss: the part 'maths' is not installed; run: pip install 'pitboss[maths]'\n"
    with pytest.raises(ModuleNotFoundError):  # a bug, and bugs crash
        pitboss("llvmlite")


@pytest.mark.parametrize(
    ("package", "part", "command"),
    [
        ("numba", "maths", "simulate mbs-3cp-2023"),
        ("numba", "maths", "shuffle-test"),
        ("numba", "maths", "report"),
        ("numba", "maths", "floor simulate --strategy optimal --hours 0.01"),
        ("numba", "reports", "par mbs-3cp-2023 -o par.html"),
        ("matplotlib", "reports", "simulate mbs-3cp-2023 --plot run.svg"),
        ("matplotlib", "reports", "shuffle-test --report shuffle.html"),
        ("distributed", "cluster", "simulate mbs-3cp-2023 --cluster tcp://127.0.0.1:1"),
        ("psycopg", "postgres", "floor create x --database postgresql://127.0.0.1:1/x"),
        ("argon2", "server", "users list"),
        ("litestar", "server", "serve --demo"),
        ("psycopg", "postgres", "serve --database postgresql://127.0.0.1:1/x"),
        ("psycopg", "postgres", "backup x --database postgresql://127.0.0.1:1/x"),
    ],
)
def test_a_verb_says_the_command_before_it_does_anything(
    package: str, part: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    hide(monkeypatch, package)
    ran = pitboss(*command.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"run: pip install 'pitboss[{part}]'" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_all_parts_that_a_verb_lacks_are_in_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "psycopg", "uvicorn", "matplotlib", "distributed")
    ran = pitboss("serve", "--database", "postgresql://127.0.0.1:1/x")
    assert (ran.code, ran.err.endswith("run: pip install 'pitboss[server,postgres]'\n")) == (2, True)
    ran = pitboss("simulate", "mbs-3cp-2023", "--plot", "x.svg", "--cluster", "tcp://127.0.0.1:1")
    assert (ran.code, ran.err.endswith("run: pip install 'pitboss[cluster,reports]'\n")) == (2, True)


def test_the_library_raises_missing_part(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "numba")
    for ask in (library.analyse, library.simulate):
        with pytest.raises(library.MissingPart, match=r"pip install 'pitboss\[maths\]'"):
            ask("mbs-3cp-2023")
    with pytest.raises(ImportError, match="maths"):
        from pitboss.maths import evaluate5  # noqa: F401
    hide(monkeypatch, "aiohttp")
    monkeypatch.delitem(sys.modules, "pitboss.client")
    with pytest.raises(library.MissingPart, match="server"):
        import_module("pitboss.client")


def test_a_server_without_the_mathematics_says_so_and_serves_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole round on such a server is played in tests/whole/test_wheel.py."""
    from pitboss.client import ClientError

    hide(monkeypatch, "numba")
    pricing = Pricing()
    pricing.warm(solved_before, "mbs-3cp-2023", "", {})
    assert pricing._pool is None, "no process is begun in vain"
    with served(tmp_path, stud_on_a_link) as service, service.signed_in("p1") as ask:
        with pytest.raises(ClientError) as found:
            ask(ask.client.call("GET", "/api/mathematics/mbs-3cp-2023"))
        assert (found.value.status, found.value.code, found.value.clauses) == (501, "not-installed", ())
        assert "pip install 'pitboss[maths]'" in found.value.message
        assert len(ask(ask.client.call("GET", "/api/rulebooks"))["rulebooks"]) == 5
        assert ask(ask.client.lobby())["tables"]
