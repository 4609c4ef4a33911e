"""Dependencies: what there is, whether it is what was pinned, and what is known against it.

`python tools/audit.py` checks what can be checked anywhere: every package is pinned and installed as pinned,
the requirements fit together, the web client's lock file has a hash for each package and names no address.
With `--advisories` it also asks the advisory services (pip-audit, npm audit), and says plainly if they do
not answer. With `--bill FOLDER` it writes the bill of materials (CycloneDX) of both; with `--short-bill FILE`
one from the pins, the lock file and what is installed, which needs neither another tool nor a network.
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import subprocess
import sys
from importlib.metadata import distributions, requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from pitboss.parts import PARTS

ROOT = Path(__file__).parent.parent
OURSELVES = {"pitboss", "pip", "setuptools", "wheel"}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    """The versions in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return {
        canonical(name): version for name, _, version in (line.partition("==") for line in lines) if version
    }


def python_problems() -> list[str]:
    """Packages that are not pinned, or installed in another version than the pinned one."""
    pins, found = pinned(), []
    for package in distributions():
        name = canonical(package.metadata["Name"])
        if name in OURSELVES:
            continue
        if name not in pins:
            found.append(f"{name} {package.version} is not pinned in constraints.txt")
        elif pins[name] != package.version:
            found.append(f"{name} is {package.version}, pinned is {pins[name]}")
    done = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True, check=False)
    return found + ([] if done.returncode == 0 else done.stdout.strip().splitlines())


def web_problems() -> list[str]:
    """Packages of the client without a hash, or with a download address."""
    found = []
    for file in (ROOT / "web" / "package-lock.json", ROOT / "web" / "lighthouse" / "package-lock.json"):
        packages = json.loads(file.read_text(encoding="utf-8"))["packages"]
        for name, package in packages.items():
            if name and not package.get("link") and "integrity" not in package:
                found.append(f"{file.parent.name}: {name} has no hash")
            if "resolved" in package:
                found.append(f"{file.parent.name}: {name} names an address")
    return found


def advisories() -> tuple[list[str], list[str]]:
    """What is known against our dependencies, and which services did not answer."""
    found, silent = [], []
    command = [
        sys.executable,
        "-m",
        "pip_audit",
        "-r",
        "constraints.txt",
        "--no-deps",
        "--disable-pip",
        "-f",
        "json",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        packages = []
    if not packages or all("skip_reason" in package for package in packages):
        silent.append("pip-audit: the advisory service does not answer here")
    for package in packages:
        for known in package.get("vulns", ()):
            found.append(f"{package['name']} {package['version']}: {known['id']}")
    done = subprocess.run(
        ["npm", "audit", "--json"], cwd=ROOT / "web", capture_output=True, text=True, check=False
    )
    try:
        known_here = json.loads(done.stdout)["vulnerabilities"]
        found += [f"{name}: {advice['severity']}" for name, advice in known_here.items()]
    except (ValueError, KeyError):
        silent.append("npm audit: the advisory service does not answer here")
    return found, silent


def short_bill() -> dict[str, Any]:
    """Every package that is pinned, as CycloneDX: of Python, and of the client with its hash.

    What is installed here has the version that is here.
    """
    here = {canonical(package.metadata["Name"]): package.version for package in distributions()}
    parts: list[dict[str, Any]] = [
        {
            "type": "library",
            "name": name,
            "version": here.get(name, version),
            "purl": f"pkg:pypi/{name}@{here.get(name, version)}",
            "properties": [{"name": "installed", "value": "yes" if name in here else "no"}],
        }
        for name, version in sorted(pinned().items())
    ]
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    for place, package in lock["packages"].items():
        name = place.rpartition("node_modules/")[2]
        if name:
            digest = base64.b64decode(package["integrity"].partition("-")[2]).hex()
            parts.append(
                {
                    "type": "library",
                    "name": name,
                    "version": package["version"],
                    "purl": f"pkg:npm/{name.replace('@', '%40')}@{package['version']}",
                    "scope": "optional" if package.get("dev") else "required",
                    "hashes": [{"alg": "SHA-512", "content": digest}],
                }
            )
    return {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": parts}


def _is_ours(text: str) -> bool:
    """Whether a requirement of Pitboss belongs to the program or one of its parts, not to its development."""
    marker = Requirement(text).marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *PARTS))


def write_bills(folder: Path) -> list[str]:
    """The bills of materials; what is missing from them."""
    folder.mkdir(parents=True, exist_ok=True)
    python, web = folder / "sbom-python.json", folder / "sbom-web.json"
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "-o", str(python)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    listed = subprocess.run(
        ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"],
        cwd=ROOT / "web",
        check=True,
        capture_output=True,
        text=True,
    )
    web.write_text(listed.stdout, encoding="utf-8")
    have = {canonical(part["name"]) for part in json.loads(python.read_text(encoding="utf-8"))["components"]}
    needed = {canonical(Requirement(text).name) for text in requires("pitboss") or () if _is_ours(text)}
    print(
        f"{len(have)} packages of Python in {python}, "
        f"{len(json.loads(listed.stdout)['components'])} of the web client in {web}"
    )
    return [f"{name} is not in the bill of materials" for name in sorted(needed - have)]


def main(words: list[str] | None = None) -> int:
    """Audit; 1 if something is wrong, 0 if not."""
    parser = argparse.ArgumentParser(description="Audit the dependencies of Pitboss.")
    parser.add_argument("--advisories", action="store_true", help="ask the advisory services too")
    parser.add_argument("--bill", type=Path, metavar="FOLDER", help="write the bill of materials")
    parser.add_argument("--short-bill", type=Path, metavar="FILE", help="write one without other tools")
    asked = parser.parse_args(words)
    problems = python_problems() + web_problems()
    if asked.short_bill is not None:
        asked.short_bill.write_text(json.dumps(short_bill(), indent=1) + "\n", encoding="utf-8")
    if asked.bill is not None:
        problems += write_bills(asked.bill)
    if asked.advisories:
        known, silent = advisories()
        problems += known
        for line in silent:
            print(line)
    for problem in problems:
        print(problem)
    print(f"{len(pinned())} packages pinned; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
