"""What the pages show that takes longer, run: each page in its order, servers and mathematics included."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pitboss.bootstrap import Settings
from support import pitboss
from support.page_blocks import blocks, long_pages
from support.page_runner import PageRunner
from support.service import Process

pytestmark = pytest.mark.whole


@pytest.mark.parametrize("page", long_pages())
def test_everything_a_page_says_is_so(
    page: str, tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert PageRunner(page, tmp_path, monkeypatch, quick=False, postgres=postgres).run()


def test_the_readme_s_demo_floor_and_client_work_and_go_on_after_a_stop(tmp_path: Path) -> None:
    where = Settings(tmp_path / "demo")
    demo = Process(where, "--demo", "--pace", "0.05")
    try:
        password = (where.data / "demo-password").read_text().strip()
        guide = "docs/guides/developers.md"
        (example,) = [b.text for b in blocks(guide) if b.language == "python" and "def evening" in b.text]
        space: dict[str, object] = {}
        exec(compile(example, guide, "exec"), space)
        asyncio.run(asyncio.wait_for(space["evening"](demo.url, password), 60))  # type: ignore[operator]
        listed = pitboss("users", "list", "--data", str(where.data))
        assert "guest-1" in listed.out
        assert "surveillance-1" in listed.out
    finally:
        demo.kill()
    demo = Process(where, "--demo", "--pace", "0.05")
    try:
        asyncio.run(_goes_on(demo.url))
        (tables,) = [b.text for b in blocks(guide) if "def tables" in b.text]
        exec(compile(tables, "developers.md", "exec"), space)
        assert "stud-1" in asyncio.run(space["tables"](demo.url))  # type: ignore[operator]
    finally:
        assert "Traceback" not in demo.stop()
    assert pitboss("verify", "--data", str(where.data)).code == 0


async def _goes_on(url: str) -> None:
    """Every table plays rounds to their end."""
    from pitboss.client import Client

    async with Client(url) as client:
        before = {line["table"]: line["round"] for line in (await client.lobby())["tables"]}
        assert len(before) == 5
        for _ in range(240):
            now = {line["table"]: line["round"] for line in (await client.lobby())["tables"]}
            if all(now[name] > before[name] for name in before):
                return
            await asyncio.sleep(0.5)
        raise AssertionError(f"some table stands still: {before} {now}")
