"""Settings by file, environment and flag, weakest first; what is wrong with them, and that secrets stay hidden."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from support import pitboss


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with the user's settings beside it."""
    for name in [name for name in os.environ if name.startswith("PITBOSS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    (tmp_path / "settings" / "pitboss").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def user_says(place: Path, text: str) -> None:
    (place / "settings" / "pitboss" / "config.toml").write_text(text)


def project_says(text: str) -> None:
    Path("pitboss.toml").write_text(text)


def holds(name: str, *command: str) -> tuple[str, str]:
    """The value of a setting, and where it comes from."""
    found = pitboss("config", *command, "--json")
    assert found.code == 0, found.err
    setting = json.loads(found.out)["settings"][name]
    return setting["value"], Path(setting["from"]).name


def test_each_place_is_stronger_than_the_one_before(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """user file < project file < environment < flag, seen on the command itself."""

    def positions(*flags: str) -> str:
        return pitboss("rules", "remedy", "mbs-thb-9", "exposed", *flags).err.strip()

    def count_is(number: int, *flags: str) -> None:
        assert positions(*flags).startswith(f"pitboss: --count: {number} cards exposed")

    assert positions() == ""
    user_says(place, "[rules.remedy]\ncount = -1\n")
    count_is(-1)
    project_says("[rules.remedy]\ncount = -2\n")
    count_is(-2)
    monkeypatch.setenv("PITBOSS_RULES_REMEDY_COUNT", "-3")
    count_is(-3)
    count_is(-4, "--count", "-4")
    assert holds("rules.remedy.count", "rules", "remedy") == ("-3", "PITBOSS_RULES_REMEDY_COUNT")


def test_the_data_folder_comes_from_files_environment_and_flag(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c", "d"):
        assert pitboss("floor", "create", f"floor {name}", "--data", name).code == 0

    def shown(*flags: str) -> str:
        return pitboss("floor", "show", *flags).out[:7]

    user_says(place, 'data = "a"\n')
    assert shown() == "floor a"
    assert holds("data") == ("a", "config.toml")
    project_says('data = "b"\n')
    assert shown() == "floor b"
    assert holds("data") == ("b", "pitboss.toml")
    monkeypatch.setenv("PITBOSS_DATA", "c")
    assert shown() == "floor c"
    assert holds("data") == ("c", "PITBOSS_DATA")
    assert shown("--data", "d") == "floor d"
    assert os.environ["PITBOSS_DATA"] == "c"
    monkeypatch.delenv("PITBOSS_DATA")
    assert shown() == "floor b"
    assert "PITBOSS_DATA" not in os.environ, "a file changes the environment of its command alone"
    monkeypatch.setenv("PITBOSS_FLOOR_SHOW_DATA", "a")
    assert shown() == "floor a"


def test_flags_lists_and_texts_of_files(place: Path) -> None:
    project_says('[rules.show]\nreading = ["R-BONUS-LOSE=a"]\njson = true\n[analyze]\nset = "x"\n')
    document = json.loads(pitboss("rules", "show", "mbs-thb-9").out)
    assert document["readings"]["R-BONUS-LOSE"]["letter"] == "a"
    assert holds("analyze.set", "analyze") == ("['x']", "pitboss.toml")
    assert pitboss("analyze", "mbs-thb-9").err.startswith("pitboss: --set: 'x' sets nothing")


def test_another_user_file_can_be_named(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_says(place, 'data = "usual"\n')
    (place / "other.toml").write_text('data = "unusual"\n')
    monkeypatch.setenv("PITBOSS_CONFIG", str(place / "other.toml"))
    assert holds("data") == ("unusual", "other.toml")
    monkeypatch.setenv("PITBOSS_CONFIG", str(place / "oter.toml"))
    ran = pitboss("rules", "list")
    assert ran.code == 2
    assert (
        f"PITBOSS_CONFIG: there is no file '{place / 'oter.toml'}'; did you mean '{place / 'other.toml'}'?"
        in ran.err
    )
    shutil.rmtree(place / "settings")
    monkeypatch.delenv("PITBOSS_CONFIG")
    assert holds("data")[1] == "default"


BAD = [
    ("serv = 1", "pitboss.toml: serv: no setting or command 'serv'; did you mean 'serve'?"),
    ("[flor.simulate]\nseed = 1", "pitboss.toml: flor: no setting or command 'flor'; did you mean 'floor'?"),
    ("[floor.simulat]\nseed = 1", "pitboss.toml: floor.simulat: no command 'floor simulat'; did you mean 'simulate'?"),
    ("[floor.show]\ndatta = 'x'", "pitboss.toml: floor.show.datta: 'pitboss floor show' has no option 'datta'; did you mean 'data'?"),
    ("[floor.show]\njson = 'yes'", "pitboss.toml: floor.show.json: 'yes' is neither true nor false; write true or false"),
    ("[floor.show]\ndata = 5.5\n[floor]\nx = 1", "pitboss.toml: floor.x: 'pitboss floor' has no option 'x'"),
    ("[floor.show]\ndata = [1]", "pitboss.toml: floor.show.data: [1] is no text"),
    ("floor = 3", "pitboss.toml: floor: 3 is no table; write [floor] and its options below"),
    ("data = 3", "pitboss.toml: data: 3 is no text"),
    ("threads = 0", "pitboss.toml: threads: 0 is no number of threads; write a whole number from 1"),
    ("data = ", "pitboss.toml: not TOML: "),
    ("deck_key = 'x'", "pitboss.toml: deck_key: no setting or command 'deck_key'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), BAD, ids=[text.partition("\n")[0] for text, _ in BAD])
def test_what_a_file_may_not_say_is_told_with_file_key_and_near_miss(text: str, says: str) -> None:
    project_says(text)
    ran = pitboss("floor", "show")
    assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, "")
    assert ran.err.startswith(f"pitboss: {says}")
    assert pitboss("floor", "show", "--help").code == 0, "help is there whatever the file says"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('port = "9000"', "serve.port: '9000' is no whole number; write a number without quotes"),
        ("port = true", "serve.port: True is no whole number"),
        ("pace = 'slow'", "serve.pace: 'slow' is no number"),
        ("proxy = [true]", "serve.proxy: [True] is no list of texts"),
    ],
)
def test_numbers_and_lists_of_files_are_checked(line: str, says: str) -> None:
    project_says(f"[serve]\n{line}\n")
    ran = pitboss("serve", "--port", "0", "--data", "none")
    assert (ran.code, f"pitboss.toml: {says}" in ran.err) == (2, True), ran.err


def test_a_bad_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_FLOOR_SIMULATE_TABLES", "many")
    ran = pitboss("floor", "simulate")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith("pitboss: PITBOSS_FLOOR_SIMULATE_TABLES: ")
    monkeypatch.setenv("PITBOSS_SERVE_PROT", "1")
    assert "did you mean 'PITBOSS_SERVE_PORT'?" in pitboss("config").err


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("PITBOSS_DTAA", "did you mean 'PITBOSS_DATA'?"),
        ("PITBOSS_RULES_LIST_JSN", "did you mean 'PITBOSS_RULES_LIST_JSON'?"),
        ("PITBOSS_RULE_LIST_JSON", "did you mean 'PITBOSS_RULES_LIST_JSON'?"),
        ("PITBOSS_NOTHING_LIKE_IT", "'pitboss config' shows those there are"),
    ],
)
def test_a_misspelt_variable_is_told_by_the_command_that_would_listen_to_it(
    name: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    ran = pitboss("rules", "list", "--json")
    assert (ran.code, json.loads(ran.out)[0]["id"]) == (0, "hoiana-thb-2025"), "the answer is as it was"
    assert ran.err == f"pitboss: {name}: no setting is called so; {says}\n"


def test_a_variable_of_another_command_is_left_to_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PITBOSS_SERVE_PROT", "PITBOSS_SERVE_PORT", "PITBOSS_RULES_REMEDY_COUNT", "PITBOSS_DATA"):
        monkeypatch.setenv(name, "1")
    assert pitboss("rules", "list").err == ""
    assert pitboss("config").err.count("\n") == 1


def test_config_shows_where_everything_comes_from_and_no_secret(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_says(place, 'database = "postgresql://house:hunter2@db.example/floor"\n[serve]\nport = 9000\n')
    monkeypatch.setenv("PITBOSS_DECK_KEY", "ab" * 32)
    monkeypatch.setenv("PITBOSS_PASSWORD", "open sesame")
    monkeypatch.setenv("PITBOSS_SERVE_LOG", "warning")
    for arguments in ((), ("--json",), ("serve",), ("serve", "--json")):
        said = pitboss("config", *arguments)
        text = said.out + said.err
        assert said.code == 0
        assert not [secret for secret in ("hunter2", "abab", "sesame") if secret in text]
    assert holds("database") == ("postgresql://house:***@db.example/floor", "config.toml")
    assert holds("serve.database", "serve") == ("postgresql://house:***@db.example/floor", "config.toml")
    assert holds("serve.port") == ("9000", "config.toml")
    assert holds("serve.log", "serve") == ("warning", "PITBOSS_SERVE_LOG")
    assert holds("serve.host", "serve") == ("127.0.0.1", "default")
    assert holds("deck_key")[0] == "set (not shown)"
    assert "no command 'srve'; did you mean 'serve'?" in pitboss("config", "srve").err
    assert (
        "no command 'floor opn-table'; did you mean 'open-table'?"
        in pitboss("config", "floor", "opn-table").err
    )


def test_config_says_what_is_wrong_with_a_variable_and_lines_its_columns_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PITBOSS_SERVE_PORT", "abc")
    monkeypatch.setenv("PITBOSS_SERVE_DEMO", "maybe")
    monkeypatch.setenv("PITBOSS_SERVE_PACE", "0.5")
    said = pitboss("config", "serve")
    assert (said.code, said.err.splitlines()) == (0, [
        "pitboss: PITBOSS_SERVE_PORT: 'abc' is no whole number",
        "pitboss: PITBOSS_SERVE_DEMO: 'maybe' is neither true nor false",
    ])  # fmt: skip
    monkeypatch.setenv("PITBOSS_THREADS", "-1")
    said = pitboss("config")
    assert said.err == "pitboss: PITBOSS_THREADS: '-1' is no number of threads\n"
    origins = [("default", line) for line in said.out.splitlines() if line.endswith("default")]
    assert len({line.index(origin) for origin, line in origins}) == 1


@pytest.mark.parametrize("threads", ["x", "-1", "0", "99999999999999999999"])
@pytest.mark.parametrize("verb", ["analyze", "jackpot"])
def test_a_number_of_threads_that_is_none_is_told(
    monkeypatch: pytest.MonkeyPatch, threads: str, verb: str
) -> None:
    monkeypatch.setenv("PITBOSS_THREADS", threads)
    said = pitboss(verb, "mbs-3cp-2023")
    assert (said.code, said.out) == (2, "")
    assert said.err == (
        f"pitboss: PITBOSS_THREADS: '{threads}' is no number of threads; write a whole number from 1 to 1024\n"
    )


def test_the_version_is_not_asked_for_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_VERSION", "1")
    assert "mbs-thb-9" in pitboss("rules", "list").out
