"""The process that counts for the service: nobody waits for it who did not ask, and it may stop."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator

import pytest

from pitboss.errors import BadInput, CountingError
from pitboss.server.pricing import Pricing, priced


@pytest.fixture
def pricing() -> Iterator[Pricing]:
    made = Pricing()
    yield made
    made.stop()


def test_questions_wait_for_each_other_and_nobody_else_does(pricing: Pricing) -> None:
    async def ask() -> tuple[bool, list[object]]:
        long = [asyncio.create_task(pricing.ask(time.sleep, seconds)) for seconds in (0.6, 0.61, 0.62)]
        await asyncio.sleep(0.01)
        await asyncio.to_thread(lambda: None)  # a thread is free whatever is being counted
        return any(task.done() for task in long), list(await asyncio.gather(*long))

    assert asyncio.run(ask()) == (False, [None, None, None])


def test_a_question_is_counted_once_and_outlives_an_asker_who_goes(pricing: Pricing) -> None:
    async def ask() -> list[object]:
        first = asyncio.create_task(pricing.ask(time.perf_counter_ns))
        await asyncio.sleep(0)
        first.cancel()
        return [await pricing.ask(time.perf_counter_ns), await pricing.ask(time.perf_counter_ns)]

    one, other = asyncio.run(ask())
    assert one == other


def test_a_process_that_stopped_is_told_and_replaced(pricing: Pricing) -> None:
    async def ask() -> object:
        with pytest.raises(CountingError, match="has stopped"):
            await pricing.ask(os._exit, 1)
        return await pricing.ask(abs, -3)

    assert asyncio.run(ask()) == 3


def test_what_cannot_be_priced_says_why_however_often_it_is_asked(pricing: Pricing) -> None:
    async def ask() -> None:
        for _ in range(2):
            with pytest.raises(BadInput, match="no rulebook 'mbs-thb-8'"):
                await pricing.ask(priced, "mbs-thb-8", {}, ())

    asyncio.run(ask())
