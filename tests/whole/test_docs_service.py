"""What the pages about the service show, run: its commands in their order, and the example of the client."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pitboss.bootstrap import Settings
from support import pitboss
from support.databases import fresh_database
from support.service import Process

pytestmark = pytest.mark.whole

ROOT = Path(__file__).parent.parent.parent


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(), re.S)


def test_the_commands_of_the_page_about_operations_run(
    tmp_path: Path, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    database = fresh_database(postgres)
    assert pitboss("floor", "create", "x", "--data", f"{tmp_path}/keys", "--database", database).code == 0
    served = 0
    for line in "".join(blocks("docs/operations.md", "sh")).splitlines():
        text = line.partition("  #")[0].strip().replace("/srv", str(tmp_path))
        text = text.replace('"$PITBOSS_DATABASE"', shlex.quote(database))
        words = shlex.split(text)
        if "serve" in words:
            process = Process(
                Settings(Path(words[words.index("--data") + 1]), database if "--database" in words else "")
            )
            assert "Traceback" not in process.stop()
            served += 1
            continue
        ran = subprocess.run(
            text.replace("pitboss ", f"{sys.executable} -m pitboss.cli.main ", 1)
            if text.startswith("pitboss")
            else text.replace("| pitboss ", f"| {sys.executable} -m pitboss.cli.main "),
            shell=True,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, (text, ran.stderr)
    assert served == 2


def test_the_readme_s_demo_floor_and_client_work_and_go_on_after_a_stop(tmp_path: Path) -> None:
    where = Settings(tmp_path / "demo")
    demo = Process(where, "--demo", "--pace", "0.05")
    password = (where.data / "demo-password").read_text().strip()
    (example,) = blocks("README.md", "python")
    space: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), space)
    asyncio.run(asyncio.wait_for(space["evening"](demo.url, password), 60))  # type: ignore[operator]
    listed = pitboss("users", "list", "--data", str(where.data))
    assert "guest-1" in listed.out
    assert "surveillance-1" in listed.out
    demo.kill()
    demo = Process(where, "--demo", "--pace", "0.05")
    try:
        asyncio.run(_goes_on(demo.url))
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
