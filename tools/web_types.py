"""The web client's types, made anew from the API's document: `python tools/web_types.py`.

The types carry the digest of the document they were made from; a test sees when they are out of date.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

from openapi import as_text

WEB = Path(__file__).resolve().parent.parent / "web"
TYPES = WEB / "src" / "api" / "schema.d.ts"
MARK = "// Made by tools/web_types.py from the document with SHA-256 "


def digest(text: bytes) -> str:
    """What tells one document from another."""
    return hashlib.sha256(text).hexdigest()


def main() -> None:
    """Write the types."""
    source = WEB / "openapi.json"
    text = as_text()
    source.write_bytes(text)
    try:
        for words in (["run", "types"], ["run", "format"]):
            subprocess.run([sys.executable, WEB / "build.py", "npm", *words], check=True)
    finally:
        source.unlink()
    TYPES.write_text(f"{MARK}{digest(text)}\n" + TYPES.read_text())


if __name__ == "__main__":
    main()
