"""Examinations over HTTP: the same for a whole class, answered once, marked at the end, kept."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pitboss.client import BadField, ClientError, SignedOut, SyncClient
from pitboss.floor import requests as q
from pitboss.rulebooks import load_plan
from pitboss.school.course import exercise_of
from pitboss.school.examination import Paper, questions_of_book
from pitboss.school.exercises import Exercise
from pitboss.school.shapes import DrillBooks, DrillReport
from pitboss.school.showing import asking
from pitboss.school.syllabus import topic_called
from pitboss.server.drill_shapes import DrillClass, DrillExam
from pitboss.store.sittings import Conclusion, Sitting, Sittings, Taken
from support import pitboss
from support.schooling import ask, keys_of, right_answer
from support.sent import as_sent
from support.service import Served, served, stud_on_a_link

BOOK = "mbs-3cp-2023"
EXAMPLES = Path(__file__).parent.parent.parent / "docs" / "drills"
SECRETS = {"paid", "returned", "collected", "clause", "note", "trap", "says"}
"""Fields that tell something of an answer."""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("exams") / "floor", stud_on_a_link) as found:
        yield found


def begin(client: SyncClient, problems: int, **more: Any) -> dict[str, Any]:
    found = ask(client, "POST", "/exams", {"rulebook": BOOK, "problems": problems, **more})
    msgspec.convert(found, DrillExam)
    return found


def answer(client: SyncClient, exam: dict[str, Any], body: dict[str, Any], place: int = 0) -> dict[str, Any]:
    path = f"/exams/{exam['exam']}/answers/{place or exam['place']}"
    found = ask(client, "POST", path, body)
    msgspec.convert(found, DrillExam)
    return found


def leave(client: SyncClient, exam: dict[str, Any]) -> dict[str, Any]:
    return ask(client, "POST", f"/exams/{exam['exam']}/end", {})


def exercises(book: str = BOOK, **paper: Any) -> list[Exercise]:
    plan = load_plan(book)
    found = questions_of_book(plan, Paper(**paper))
    return [exercise_of(plan, topic_called(plan, one.topic), one.seed) for one in found]


def wrong_answer(exercise: Exercise) -> dict[str, Any]:
    found = right_answer(exercise)
    found["wagers"][0] |= {"do": "pay", "amount": "123456.00"}
    return found


def refused(client: SyncClient, method: str, path: str, body: Any = None) -> tuple[int, str]:
    with pytest.raises(ClientError) as found:
        ask(client, method, path, body)
    return found.value.status, found.value.code


def test_an_examination_is_asked_in_order_marked_at_the_end_and_counts_then(service: Served) -> None:
    known = exercises(number=2026, problems=3)
    with service.signed_in("dora") as client:
        exam = begin(client, 3, number=2026)
        sent = [exam]
        assert (exam["place"], exam["problems"], exam["answered"], exam["right"]) == (1, 3, 0, None)
        for number, exercise in enumerate(known, 1):
            assert as_sent(asking(exercise)) == exam["problem"]
            again = ask(client, "GET", f"/exams/{exam['exam']}")
            assert again == exam, "a page that is loaded again goes on where it was"
            assert ask(client, "GET", "")["exam"] == exam["exam"]
            assert ask(client, "GET", "/report")["books"] == [], "nothing counts yet"
            given = wrong_answer(exercise) if number == 2 else right_answer(exercise)
            sent.append(exam := answer(client, exam, given))
        for told in sent[:-1]:
            assert not SECRETS & keys_of(told)
            assert told["marks"] == told["clauses"] == []
            assert all(
                one.title not in json.dumps(told) and one.topic not in json.dumps(told) for one in known
            )
        assert (exam["problem"], exam["right"], exam["answered"], bool(exam["ended"])) == (None, 2, 3, True)
        assert [one["marks"]["right"] for one in exam["marks"]] == [True, False, True]
        assert exam["marks"][1]["given"]["wagers"][0]["amount"] == "123456.00"
        assert exam["marks"][1]["question"] == sent[1]["problem"]
        assert all(clause["gist"] for clause in exam["clauses"])
        rates = [one["right"] * 1000 // one["asked"] for one in exam["clauses"]]
        assert rates == sorted(rates)
        assert rates[0] < 1000
        books = ask(client, "GET", "")
        msgspec.convert(books, DrillBooks)
        assert books["exam"] == ""
        report = ask(client, "GET", "/report")
        msgspec.convert(report, DrillReport)
        (score,) = report["books"]
        assert (score["asked"], score["right"], len(score["comes_back"])) == (3, 2, 1)
        (sat,) = report["exams"]
        assert (sat["number"], sat["problems"], sat["right"], sat["rulebook"]) == (2026, 3, 2, BOOK)
        assert sat["began"] <= sat["ended"]


def test_a_class_gets_the_same_problems_whatever_each_has_scored(service: Served, tmp_path: Path) -> None:
    """The terminal deals the same paper, too."""
    asked: list[list[Any]] = []
    for name in ("saul", "gus"):
        with service.signed_in(name) as client:
            if name == "gus":
                problem = ask(client, "POST", f"/{BOOK}/next", {"level": 5})
                taken = [
                    {"position": one["position"], "wager": one["wager"], "do": "pay", "amount": "1.00"}
                    for one in problem["settlement"]["asked"]
                ]
                ask(client, "POST", f"/exercises/{problem['exercise']}/answer", {"wagers": taken})
            exam = begin(client, 3, number=77, only="irregularity", level=4)
            asked.append([])
            while exam["problem"]:
                asked[-1].append(exam["problem"])
                first = exam["problem"]["irregularity"]["choices"][0]["name"]
                exam = answer(client, exam, {"remedy": first})
    assert asked[0] == asked[1]
    with service.signed_in("mara") as manager:
        found = ask(manager, "GET", "/exams?number=77")
        msgspec.convert(found, DrillClass)
        assert {one["trainee"] for one in found["exams"]} == {"staff/saul", "staff/gus"}
        assert all(one["ended"] and one["answered"] == 3 for one in found["exams"])
        assert refused(manager, "GET", "/exams?number=0")[0] == refused(manager, "GET", "/exams")[0] == 400
    with service.signed_in("saul") as supervisor:
        assert refused(supervisor, "GET", "/exams?number=77") == (403, "no-authority")
    (tmp_path / "answers").write_text("1\n1\n1\n")
    words = ("--exam", "--seed", "77", "--problems", "3", "--only", "irregularity", "--level", "4", "--json")
    files = ("--answers", str(tmp_path / "answers"), "--scores", str(tmp_path / "s.json"))
    typed = json.loads(pitboss("drill", BOOK, *words, *files).out)
    assert [{"settlement": None, **one["asked"]} for one in typed["problems"]] == asked[0]


def test_a_problem_is_answered_once_and_in_its_order(service: Served) -> None:
    with service.signed_in("ines") as client:
        exam = begin(client, 2, only="irregularity")
        path = f"/exams/{exam['exam']}"
        remedy = {"remedy": exam["problem"]["irregularity"]["choices"][0]["name"]}
        with pytest.raises(BadField, match="is not on the list"):
            answer(client, exam, {"remedy": "dance"})
        assert refused(client, "POST", f"{path}/answers/2", {"remedy": "1"}) == (409, "exam-order")
        assert refused(client, "POST", f"{path}/answers/3", remedy) == (404, "unknown")
        assert refused(client, "POST", "/exams", {"rulebook": BOOK, "problems": 2}) == (409, "exam-open")
        assert refused(client, "POST", f"/{BOOK}/next", {}) == (409, "exam-open")
        second = answer(client, exam, remedy)
        assert (second["place"], second["answered"]) == (2, 1)
        assert refused(client, "POST", f"{path}/answers/1", remedy) == (409, "exam-answered")
        with service.signed_in("mara") as manager:
            assert refused(manager, "GET", path)[0] == 404, "nobody sees an examination that is being sat"
            assert refused(manager, "POST", f"{path}/answers/2", remedy)[0] == 404
            assert refused(manager, "POST", f"{path}/end", {})[0] == 404
            report = ask(manager, "GET", "/report?trainee=staff/ines")
            assert [(one["answered"], one["right"], one["ended"]) for one in report["exams"]] == [
                (1, None, "")
            ]
            assert "staff/ines" in report["others"]
        ended = leave(client, second)
        assert (ended["answered"], bool(ended["ended"])) == (1, True)
        assert [one["marks"] is None for one in ended["marks"]] == [False, True]
        assert ended["marks"][1] == {"place": 2, "question": None, "given": None, "marks": None}
        assert refused(client, "POST", f"{path}/answers/2", remedy) == (409, "exam-ended")
        assert leave(client, second) == ended, "it ends once"
        assert ask(client, "GET", "/report")["books"][0]["asked"] == 1
    with service.signed_in("mara") as manager:
        assert ask(manager, "GET", path) == ended
    with service.signed_in("p1") as player:
        assert refused(player, "GET", path)[0] == 404
    with service.signed_in("") as nobody, pytest.raises(SignedOut):
        ask(nobody, "GET", path)


def test_a_number_is_drawn_where_none_was_announced_and_can_be_repeated(service: Served) -> None:
    with service.signed_in("p2") as client:
        first = begin(client, 1)
        assert 100_000 <= first["number"] < 1_000_000
        leave(client, first)
        again = begin(client, 1, number=first["number"])
        assert again["problem"] == first["problem"]
        leave(client, again)
        other = begin(client, 1)
        assert other["number"] != first["number"]
        ended = leave(client, other)
        assert (ended["answered"], ended["right"], ended["clauses"]) == (0, 0, [])
        assert [one["number"] for one in ask(client, "GET", "/report")["exams"]][::-1] == [
            first["number"],
            first["number"],
            other["number"],
        ]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"problems": 0}, "problems|>= 1"),
        ({"problems": 51}, "<= 50"),
        ({"problems": "5"}, "int"),
        ({"number": 0}, ">= 1"),
        ({"number": 1_000_000_000}, "<= 999999999"),
        ({"only": "both"}, "both"),
        ({"level": 7}, "<= 6"),
        ({"rulebook": "none"}, "no rulebook 'none'"),
        ({"rulebook": "set-none"}, "no set 'set-none'"),
        ({"more": 1}, "more"),
    ],
)
def test_what_cannot_be_examined_is_told(service: Served, wrong: dict[str, Any], says: str) -> None:
    with service.signed_in("milo") as client:
        with pytest.raises(BadField, match=says):
            ask(client, "POST", "/exams", {"rulebook": BOOK, "problems": 2, **wrong})
        assert ask(client, "GET", "")["exam"] == ""
        assert refused(client, "GET", "/exams/none")[0] == 404
        assert refused(client, "POST", "/exams/%00/end", {})[0] == 404


def test_a_set_is_examined_and_what_the_school_takes_away_is_not_answered(service: Served) -> None:
    school = service.served.work.where.data / "school"
    school.mkdir()
    shutil.copytree(EXAMPLES, school / "week-1")
    with service.signed_in("ada") as client:
        (listed,) = [one for one in ask(client, "GET", "")["books"] if one["rulebook"] == "set-week-1"]
        assert listed["problems"] == 2
        with pytest.raises(BadField, match="the set has 2 problems"):
            begin(client, 3, rulebook="set-week-1")
        with pytest.raises(BadField, match="no difficulty"):
            begin(client, 2, rulebook="set-week-1", level=1)
        exam = begin(client, 2, rulebook="set-week-1", number=5)
        assert (exam["title"], exam["problem"]["kind"]) == ("First week", "settlement")
        wagers = exam["problem"]["settlement"]["asked"]
        taken = [
            {
                "position": one["position"],
                "wager": one["wager"],
                "do": "none" if one["stake"] == "0.00" else "take",
            }
            for one in wagers
        ]
        shutil.rmtree(school)
        ended = answer(client, exam, {"wagers": taken})
        assert (ended["answered"], ended["right"], bool(ended["ended"])) == (0, 0, True)


def test_a_book_is_examined_as_the_floor_reads_it_and_goes_on_when_it_is_withdrawn(service: Served) -> None:
    key = service.house.book("mbs-thb-9", R_BONUS_LOSE="a")
    with service.signed_in("gina") as client:
        exam = begin(client, 2, rulebook=key, number=3, only="settlement")
        assert exam["readings"] == {"R-BONUS-LOSE": "a"}
        plan = load_plan("mbs-thb-9", {"R-BONUS-LOSE": "a"})
        first = questions_of_book(plan, Paper(number=3, problems=2, only="settlement"))[0]
        exercise = exercise_of(plan, topic_called(plan, first.topic), first.seed)
        service.house.ok("gina", q.WithdrawRulebook(rulebook=key, reason="a new version"))
        with pytest.raises(BadField, match="no rulebook"):
            ask(client, "POST", "/exams", {"rulebook": key, "problems": 2})
        after = answer(client, exam, right_answer(exercise))
        assert after["place"] == 2
        assert leave(client, after)["right"] == 1


def test_two_processes_agree_on_what_was_answered(service: Served) -> None:
    """Each has a view of its own; the database decides."""
    one, other = Sittings(service.served.work.store.engine), Sittings(service.served.work.store.engine)
    sitting = Sitting("s1", "staff", "eye", BOOK, BOOK, "", "{}", 1, 2, "", None, service.house.floor.now())
    assert one.begin(sitting, [("a", 1), ("b", 2)])
    assert not other.begin(sitting._replace(id="s2"), [("a", 1)])
    at = sitting.began_at
    assert [one.answer("s1", 1, "x", at=at), other.answer("s1", 1, "y", at=at)] == [Taken.YES, Taken.ANSWERED]
    assert other.answer("s1", 3, "y", at=at) is Taken.NOT_YET

    def conclude(places: list[Any]) -> Conclusion:
        assert [place.data for place in places] == ["x", ""]
        return Conclusion(1, 1, {BOOK: lambda text: f"{text} more"})

    assert [one.end("s1", conclude, at=at), other.end("s1", conclude, at=at)] == [True, False]
    assert other.answer("s1", 2, "y", at=at) is Taken.ENDED
    assert service.served.school.scores("staff", "eye") == {BOOK: " more"}
    found = other.of("staff", "eye", most=9)
    assert [(sat.answered, sat.right_answers, sat.ended_at) for sat in found] == [(1, 1, at)]
