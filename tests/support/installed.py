"""What an installed Pitboss can do, asked by its own Python: `python -P installed.py < what-is-installed.json`.

The document names the parts that are installed and the modules that can be imported with them. Nothing here
knows the folder of the sources. The first thing that is not so ends it.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from importlib import import_module, metadata, resources
from pathlib import Path
from typing import Any

CASE = {
    "rulebook": "mbs-stud-6",
    "dealer": ["As", "Kd", "8d", "4c", "2h"],
    "seats": [
        {
            "position": 1,
            "player": "p1",
            "cards": ["9s", "9d", "5c", "3h", "Jc"],
            "status": "played",
            "wagers": {"ante": "25", "bet": "50"},
        }
    ],
}
SCRIPT = {"rulebook": "mbs-stud-6", "players": {"ann": "1000"}, "steps": ["dealer: open bets"]}
BOOK = "mbs-3cp-2023"
NEEDS_A_PART = {
    "analyze mbs-3cp-2023": "maths",
    "advise mbs-3cp-2023 --hand 'As Ks Qs'": "maths",
    "simulate mbs-3cp-2023 --rounds 1000": "maths",
    "jackpot mbs-thb-9": "maths",
    "shuffle-test": "maths",
    "report --data floor": "maths",
    "floor simulate --strategy optimal --hours 0.01": "maths",
    "par mbs-3cp-2023 -o par.md": "reports",
    "simulate mbs-3cp-2023 --plot run.svg": "reports",
    "shuffle-test --report shuffle.html": "reports",
    "simulate mbs-3cp-2023 --cluster tcp://127.0.0.1:1": "cluster",
    "serve --data floor": "server",
    "serve --demo --data demo": "server",
    "users list --data floor": "server",
    "play --server http://127.0.0.1:1 --as ann": "server",
    "verify --database postgresql://127.0.0.1:1/floor": "postgres",
}
"""Commands with the part that each cannot do without."""


def pitboss(*words: str) -> tuple[int, str, str]:
    """A command line, called as the installed program calls it: exit code, output, errors."""
    from pitboss.cli.main import run

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(words))
    return code, out.getvalue(), err.getvalue()


def done(*words: str) -> str:
    code, out, err = pitboss(*words)
    assert code == 0, (words, code, out, err)
    return out


def check_base() -> None:
    """Everything that the base installation promises, a minute of a floor included."""
    assert len(json.loads(done("rules", "list", "--json"))) == 5
    Path("case.json").write_text(json.dumps(CASE))
    assert json.loads(done("settle", "case.json", "--json"))["seats"][0]["net"] == "75.00"
    Path("script.json").write_text(json.dumps(SCRIPT))
    assert json.loads(done("run", "script.json", "--json"))["balances"] == {"ann": "1000.00"}
    done("rules", "new", "mine", "--from", BOOK)
    assert "no defects" in done("rules", "validate", "mine")
    simulated = done(
        "floor", "simulate", "--tables", "1", "--hours", "0.017", "--seed", "7", "--data", "floor"
    )
    assert "the ledger adds up" in simulated
    assert "verified" in done("verify", "--data", "floor")
    assert "REPLAY" in done("replay", "t01/1", "--data", "floor")
    assert json.loads(done("report", "--no-theory", "--json", "--data", "floor"))["tables"]
    done("export", "all", "-o", "exported", "--data", "floor")
    done("backup", "floor.backup", "--data", "floor")
    done("restore", "floor.backup", "--data", "other")
    for verb in (("play", BOOK), ("drill", BOOK)):  # their input ends at once
        sys.stdin = io.TextIOWrapper(io.BytesIO())
        code, _, err = pitboss(*verb)
        assert "Traceback" not in err, err
        assert code == 0, (verb, code, err)


def check_library() -> None:
    import pitboss as library

    assert library.__version__ == metadata.version("pitboss")
    assert (resources.files("pitboss") / "py.typed").is_file()
    assert len(library.books()) == 5
    assert "settle" in {getattr(library, name).__name__ for name in library.__all__}
    assert repr(library.evaluate("As Ks Qs Js Ts")) == "<Hand royal flush: A♠ K♠ Q♠ J♠ 10♠>"
    assert library.settle(CASE).net(1) == "75.00"


def check_doctor(parts: set[str]) -> None:
    from pitboss.parts import PARTS

    code, out, _ = pitboss("doctor", "--data", "floor", "--port", "0", "--json")
    checks = json.loads(out)["checks"]
    assert code == 0, [check for check in checks if check["verdict"] == "wrong"]
    said = dict(check["found"].split(": ", 1) for check in checks if check["check"] == "parts")
    for part in PARTS:
        assert (said[part] == "installed") == (part in parts), said
        assert part in parts or f"pip install 'pitboss[{part}]'" in said[part], said
    assert ("kernels" in {check["check"] for check in checks}) == ("maths" in parts)


def check_missing(parts: set[str]) -> None:
    """Whatever lacks its part says the one command that brings it, in one line."""
    import shlex

    from pitboss.errors import MissingPart

    for words, part in NEEDS_A_PART.items():
        if part not in parts:
            code, out, err = pitboss(*shlex.split(words))
            assert (code, out, err.count("\n")) == (2, "", 1), (words, code, out, err)
            assert f"pip install 'pitboss[{part}]'" in err, (words, err)
    if "maths" not in parts:
        import pitboss as library

        with contextlib.suppress(MissingPart):
            library.analyse(BOOK)
            raise AssertionError("the library prices without the mathematics")
    if "postgres" in parts:
        code, _, err = pitboss("verify", "--database", "postgresql://127.0.0.1:1/floor")
        assert (code, "the database does not answer" in err) == (2, True), err


def check_modules(parts: set[str], expected: list[str]) -> None:
    """What can be imported is what is expected; everything else says a part that is not installed."""
    import pitboss
    from pitboss.errors import MissingPart
    from pitboss.parts import missing_part

    root = Path(pitboss.__file__).parent
    for file in sorted(root.rglob("*.py")):
        words = file.relative_to(root.parent).with_suffix("").parts
        name = ".".join(words[:-1] if words[-1] == "__init__" else words)
        lacking: MissingPart | None = None
        try:
            import_module(name)
        except MissingPart as missing:
            lacking = missing
        except ModuleNotFoundError as error:
            lacking = missing_part(error)
            if lacking is None:  # nothing declares it
                raise
        assert (lacking is None) == (name in expected), f"{name}: {lacking}"
        assert lacking is None or not parts & set(lacking.parts), f"{name}: {lacking}"


def main() -> None:
    told: dict[str, Any] = json.load(sys.stdin)
    parts = set(told["parts"])
    (entry,) = metadata.entry_points(group="console_scripts", name="pitboss")
    assert entry.load().__module__ == "pitboss.cli.main"
    assert str(Path(import_module("pitboss").__file__ or "")).startswith(sys.prefix)
    assert done("--version") == f"pitboss {metadata.version('pitboss')}\n"
    from pitboss.parts import PARTS

    if told["base"]:
        check_base()
        check_library()
        loaded = {package for packages in PARTS.values() for package in packages} & set(sys.modules)
        assert loaded <= {"markupsafe"}, f"loaded though nothing asked for it: {loaded}"
    check_missing(parts)
    if told["base"]:
        check_doctor(parts)
    check_modules(parts, told["modules"])


if __name__ == "__main__":
    main()
