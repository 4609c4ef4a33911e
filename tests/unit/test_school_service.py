"""The dealer school over HTTP: the answer stays with the service, marks are given once, scores survive."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.bootstrap import Settings, open_store
from pitboss.client import BadField, ClientError, NotAllowed, SignedOut, SyncClient
from pitboss.rulebooks import load_plan
from pitboss.school.course import exercise_of
from pitboss.school.exercises import Exercise
from pitboss.school.problems import SettlementProblem
from pitboss.school.shapes import DrillBooks, DrillMarks, DrillProblem, DrillReport
from pitboss.school.syllabus import syllabus, topic_called
from pitboss.store.school import OpenExercise, School
from support import BOOKS
from support.schooling import ask, keys_of, right_answer
from support.service import Served, served, stud_on_a_link

BOOK = "mbs-3cp-2023"
OWN_BOOK = str(Path(__file__).parent.parent / "books" / "holdem-with-qualification.toml")
EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "drills"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("school") / "floor", stud_on_a_link) as found:
        yield found


def following(client: SyncClient, book: str = BOOK, only: str = "") -> dict[str, Any]:
    problem = ask(client, "POST", f"/{book}/next", {"only": only})
    msgspec.convert(problem, DrillProblem)
    return problem


def opened(service: Served, problem: dict[str, Any]) -> tuple[OpenExercise, Exercise]:
    """What the service keeps of a problem, which nobody is sent."""
    found = service.served.school.exercise(problem["exercise"])
    assert found is not None
    plan = load_plan(found.rulebook)
    return found, exercise_of(plan, topic_called(plan, found.topic), found.seed)


def test_every_book_is_drilled_for_whoever_is_signed_in(service: Served) -> None:
    with service.signed_in("dora") as dealer:
        found = ask(dealer, "GET", "")
        msgspec.convert(found, DrillBooks)
        assert {book["rulebook"] for book in found["books"]} >= set(BOOKS)
    with service.signed_in("") as nobody, pytest.raises(SignedOut):
        ask(nobody, "GET", "")


def test_the_answer_is_not_sent_before_it_was_given(service: Served) -> None:
    with service.signed_in("ines") as client:
        problem = following(client)
        kept, exercise = opened(service, problem)
        sent = json.dumps(problem)
        assert str(kept.seed) not in sent
        assert kept.topic not in sent
        assert exercise.title not in sent
        assert not {"paid", "returned", "collected", "clauses", "right"} & keys_of(problem)
        assert following(client) == problem  # another look does not change it
        trouble = following(client, only="irregularity")
        assert trouble["irregularity"]["choices"]
        assert not {"right", "clauses", "note"} & keys_of(trouble)
        assert service.served.school.exercise(problem["exercise"]) is None


def test_an_answer_is_marked_once_with_its_clauses_and_counts(service: Served) -> None:
    with service.signed_in("saul") as client:
        problem = following(client)
        path = f"/exercises/{problem['exercise']}/answer"
        answer = right_answer(opened(service, problem)[1])
        with service.signed_in("mara") as other, pytest.raises(ClientError) as found:
            ask(other, "POST", path, answer)
        assert found.value.status == 404
        marked = ask(client, "POST", path, answer)
        msgspec.convert(marked, DrillMarks)
        assert (marked["right"], marked["trap"]) == (True, True)
        assert all(clause["gist"] and clause["right"] for clause in marked["clauses"])
        with pytest.raises(ClientError) as found:
            ask(client, "POST", path, answer)
        assert found.value.status == 404
        second = following(client)
        wrong = right_answer(opened(service, second)[1])
        wrong["wagers"][0] |= {"do": "pay", "amount": "123456.00"}
        marked = ask(client, "POST", f"/exercises/{second['exercise']}/answer", wrong)
        assert (marked["right"], marked["comes_back"]) == (False, 1)
        assert [line["right"] for line in marked["lines"]].count(False) == 1
        report = ask(client, "GET", "/report")
        msgspec.convert(report, DrillReport)
        (book,) = report["books"]
        assert (book["asked"], book["right"], report["others"]) == (2, 1, [])


def test_an_irregularity_is_marked(service: Served) -> None:
    with service.signed_in("p1") as client:
        problem = following(client, "rws-thp-2", "irregularity")
        path = f"/exercises/{problem['exercise']}/answer"
        with pytest.raises(BadField, match="is not on the list"):
            ask(client, "POST", path, {"remedy": "dance"})
        right = opened(service, problem)[1].problem
        assert not isinstance(right, SettlementProblem)
        wrong = next(choice for choice in right.choices if choice != right.right)
        marked = ask(client, "POST", path, {"remedy": wrong.name})
        assert (marked["right"], marked["remedy"]["name"]) == (False, right.right.name)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda wagers: wagers[1:], "is left out"),
        (lambda wagers: [*wagers, wagers[0]], "is not asked"),
        (lambda wagers: [{**wagers[0], "wager": "turn"}, *wagers[1:]], "is not asked"),
        (lambda wagers: [{**wagers[0], "do": "pay", "amount": None}, *wagers[1:]], "no amount to pay"),
        (
            lambda wagers: [{**wagers[0], "do": "none", "amount": None}, *wagers[1:]],
            "what becomes of the stake",
        ),
        (lambda wagers: [{**wagers[0], "do": "take", "amount": "9999999"}, *wagers[1:]], "does not add up"),
        (lambda wagers: [{**wagers[0], "do": "burn"}, *wagers[1:]], "burn"),
    ],
)
def test_what_cannot_be_marked_is_refused_and_may_be_answered_again(
    service: Served, change: Any, says: str
) -> None:
    with service.signed_in("gina") as client:
        problem = following(client, "mbs-thb-9")
        answer = right_answer(opened(service, problem)[1])
        path = f"/exercises/{problem['exercise']}/answer"
        with pytest.raises(BadField, match=says):
            ask(client, "POST", path, {"wagers": change(answer["wagers"])})
        assert following(client, "mbs-thb-9") == problem


@pytest.mark.parametrize("path", ["/none/next", "/exercises/none/answer", "/exercises/%00/answer"])
def test_what_is_not_there_is_not_found(service: Served, path: str) -> None:
    with service.signed_in("dora") as client, pytest.raises(ClientError) as found:
        ask(client, "POST", path, {})
    assert found.value.status in (400, 404)


def test_a_report_on_others_is_for_those_who_lead(service: Served) -> None:
    with service.signed_in("p2") as trainee:
        problem = following(trainee, "mbs-stud-6")
        answer = right_answer(opened(service, problem)[1])
        ask(trainee, "POST", f"/exercises/{problem['exercise']}/answer", answer)
        with pytest.raises(NotAllowed):
            ask(trainee, "GET", "/report?trainee=staff/dora")
    with service.signed_in("dora") as dealer, pytest.raises(NotAllowed):
        ask(dealer, "GET", "/report?trainee=player/p2")
    with service.signed_in("mara") as manager:
        found = ask(manager, "GET", "/report?trainee=player/p2")
        assert (found["trainee"], found["books"][0]["rulebook"]) == ("player/p2", "mbs-stud-6")
        assert "player/p2" in found["others"]


def test_a_rulebook_of_the_floors_own_is_drilled_once_it_is_in_force(service: Served) -> None:
    key = service.house.book(OWN_BOOK)
    with service.signed_in("dora") as client:
        listed = {book["rulebook"]: book for book in ask(client, "GET", "")["books"]}
        assert listed[key]["game"] == load_plan(OWN_BOOK).id
        problem = following(client, key)
        assert problem["rulebook"] == load_plan(OWN_BOOK).id
        path = f"/exercises/{problem['exercise']}/answer"
        wagers = [(one["position"], one["wager"]) for one in problem["settlement"]["asked"]]
        taken = [{"position": position, "wager": wager, "do": "take"} for position, wager in wagers]
        assert not ask(client, "POST", path, {"wagers": taken})["right"]  # a known error comes first
        reported = ask(client, "GET", "/report")["books"]
        assert all(clause["gist"] for book in reported for clause in book["clauses"])


def test_a_book_is_drilled_as_the_floor_reads_it(service: Served) -> None:
    """mbs-thb-9: a Bonus that loses with the hand is not drilled as one that is paid all the same."""
    key = service.house.book("mbs-thb-9", R_BONUS_LOSE="a")
    with service.signed_in("ada") as client:
        listed = {book["rulebook"]: book for book in ask(client, "GET", "")["books"]}
        assert listed[key]["readings"] == {"R-BONUS-LOSE": "a"}
        assert listed["mbs-thb-9"]["readings"] == {}
        problem = following(client, key)
        kept = service.served.school.exercise(problem["exercise"])
        assert kept is not None
        names = {topic.name for topic in syllabus(load_plan("mbs-thb-9", {"R-BONUS-LOSE": "a"}))}
        assert kept.topic in names
        assert "trap-on-a-loss-bonus" not in names
        assert "trap-on-a-loss-bonus" in {topic.name for topic in syllabus(load_plan("mbs-thb-9"))}


def test_a_trainee_chooses_where_the_difficulty_begins(service: Served) -> None:
    with service.signed_in("gus") as client:
        for _ in range(9):  # the known errors come first
            problem = following(client, "rws-thp-2")
            exercise = opened(service, problem)[1]
            if not exercise.is_trap:
                break
            ask(client, "POST", f"/exercises/{problem['exercise']}/answer", right_answer(exercise))
        harder = ask(client, "POST", "/rws-thp-2/next", {"level": 6})
        assert harder["exercise"] != problem["exercise"]
        level = topic_called(load_plan("rws-thp-2"), opened(service, harder)[0].topic).level
        assert 4 <= level <= 6
        listed = {book["rulebook"]: book for book in ask(client, "GET", "")["books"]}
        assert listed["rws-thp-2"]["level"] == 6
        assert following(client, "rws-thp-2") == harder
        for wrong in (0, 7, "6"):
            with pytest.raises(BadField):
                ask(client, "POST", "/rws-thp-2/next", {"level": wrong})


def test_a_schools_own_sets_are_drilled_in_order(service: Served) -> None:
    school = service.served.work.where.data / "school"
    school.mkdir()
    shutil.copytree(EXAMPLES, school / "week-1")
    (school / "broken.json").write_text("{")
    with service.signed_in("ada") as client:
        books = {book["rulebook"]: book for book in ask(client, "GET", "")["books"]}
        assert [key for key in books if key.startswith("set-")] == ["set-week-1"]
        assert (books["set-week-1"]["title"], books["set-week-1"]["level"]) == ("First week", 0)
        first = following(client, "set-week-1", "irregularity")
        assert (first["kind"], following(client, "set-week-1")) == ("settlement", first)
        wagers = first["settlement"]["asked"]
        taken = [{"position": one["position"], "wager": one["wager"], "do": "none"} for one in wagers]
        for one in taken:
            one["do"] = "none" if one["wager"] == "ante-bonus" else "take"
        marked = ask(client, "POST", f"/exercises/{first['exercise']}/answer", {"wagers": taken})
        assert [line["wager"] for line in marked["lines"] if not line["right"]] == ["six-card-bonus"]
        second = following(client, "set-week-1")
        assert second["irregularity"]["reported"]["kind"] == "misdeal"
        ask(client, "POST", f"/exercises/{second['exercise']}/answer", {"remedy": "void"})
        again = following(client, "set-week-1")
        assert (again["kind"], again["comes_back"]) == ("settlement", True)
        found = {book["rulebook"]: book for book in ask(client, "GET", "")["books"]}["set-week-1"]
        assert (found["asked"], found["right"], found["comes_back"]) == (2, 1, 1)
        shutil.rmtree(school)
        with pytest.raises(ClientError) as gone:
            ask(client, "POST", f"/exercises/{again['exercise']}/answer", {"remedy": "void"})
        assert gone.value.status == 404
        with pytest.raises(BadField, match="no set 'set-week-1'"):
            following(client, "set-week-1")


def test_scores_survive_a_restart(tmp_path: Path) -> None:
    with served(tmp_path / "floor") as first, first.signed_in("dora") as client:
        problem = following(client, "mbs-stud-6")
        kept, _ = opened(first, problem)
        waiting = following(client, "hoiana-thb-2025")
        first.served.school.mark(kept, "mbs-stud-6", lambda text: text or "once", at=kept.asked_at)
    store = open_store(Settings(tmp_path / "floor"))
    school = School(store.engine)
    assert school.scores("staff", "dora") == {"mbs-stud-6": "once"}
    again = school.exercise(waiting["exercise"])
    assert again is not None
    assert not school.mark(kept, "mbs-stud-6", lambda text: "twice", at=kept.asked_at)
    assert school.mark(again, "mbs-stud-6", lambda text: f"{text} more", at=kept.asked_at)
    assert school.scores("staff", "dora") == {"mbs-stud-6": "once more"}
    store.close()
