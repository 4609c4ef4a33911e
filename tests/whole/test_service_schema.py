"""Schemathesis over the OpenAPI document: whatever is sent, no 5xx and no status that is not documented."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from support.service import Served, served, stud_on_a_link

pytestmark = [pytest.mark.whole, pytest.mark.filterwarnings("ignore")]

EXAMPLES = 3
"""Of every operation at a time."""
SECONDS = float(os.environ.get("PROVE_SCHEMA_SECONDS", "0"))
"""How long to go on with other examples: `make prove PART=fuzz`."""
SEED = int(os.environ.get("PROVE_SEED", "1"))
Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("schema") / "floor", stud_on_a_link) as found:
        yield found


def token(service: Served, name: str) -> str:
    with service.signed_in(name) as ask:
        return str(ask.client._token)


@pytest.mark.parametrize("name", ["ada", "p1", ""])
def test_no_5xx_and_no_undocumented_status(service: Served, name: str, record_property: Record) -> None:
    schema = schemathesis.openapi.from_url(f"{service.url}/schema/openapi.json")
    headers = {"Authorization": f"Bearer {token(service, name)}"} if name else {}
    operations = []
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        if operation.path.endswith(("/session/lock", "/session")) and operation.method != "get":
            continue  # it would end the session that the rest is asked with
        operations.append(operation)
    assert len({f"{one.method} {one.path}" for one in operations}) > 50
    sent, ends = 0, time.monotonic() + SECONDS
    for turn in count(SEED):
        for operation in operations:
            if turn == SEED or time.monotonic() < ends:
                sent += asked(service, operation, headers, turn)
        if time.monotonic() >= ends:
            break
    record_property("requests", sent)
    with service.signed_in("mara") as again:
        assert again(again.client.lobby())["floor"] == "test", "the server is still there"


def asked(service: Served, operation: Any, headers: dict[str, str], turn: int) -> int:
    """Ask for an operation in several ways; how many there were."""
    sent = 0

    @seed(turn)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    def ask(case: Any) -> None:
        nonlocal sent
        sent += 1
        answer = case.call(base_url=service.url, headers=headers)
        checks = (not_a_server_error, status_code_conformance, content_type_conformance)
        case.validate_response(answer, checks=list(checks))

    given(case=operation.as_strategy())(ask)()
    return sent
