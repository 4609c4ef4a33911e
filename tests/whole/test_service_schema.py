"""Schemathesis over the OpenAPI document: whatever is sent, no 5xx and no status that is not documented."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from support.service import Served, served, stud_on_a_link

pytestmark = [pytest.mark.whole, pytest.mark.filterwarnings("ignore")]

EXAMPLES = int(os.environ.get("PROVE_EXAMPLES", "6"))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("schema") / "floor", stud_on_a_link) as found:
        yield found


def token(service: Served, name: str) -> str:
    with service.signed_in(name) as ask:
        return str(ask.client._token)


@pytest.mark.parametrize("name", ["ada", "p1", ""])
def test_no_5xx_and_no_undocumented_status(service: Served, name: str) -> None:
    schema = schemathesis.openapi.from_url(f"{service.url}/schema/openapi.json")
    headers = {"Authorization": f"Bearer {token(service, name)}"} if name else {}
    tried: set[str] = set()
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        operation = result.ok()
        if operation.path.endswith(("/session/lock", "/session")) and operation.method != "get":
            continue  # it would end the session that the rest is asked with

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate],
        )
        def ask(case: Any) -> None:
            answer = case.call(base_url=service.url, headers=headers)
            checks = (not_a_server_error, status_code_conformance, content_type_conformance)
            case.validate_response(answer, checks=list(checks))

        given(case=operation.as_strategy())(ask)()
        tried.add(f"{operation.method} {operation.path}")
    assert len(tried) > 50
    with service.signed_in("mara") as again:
        assert again(again.client.lobby())["floor"] == "test", "the server is still there"
