"""Starting a rulebook of one's own from one of those that exist."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from pitboss.errors import BadInput
from pitboss.rulebooks.document import book_folder, book_ids, read_document
from pitboss.rulebooks.load import load_book


def start_rulebook(target: Path, base: str) -> Path:
    """Copy the files of `base` into a new folder with an identity of its own. Nothing is overwritten."""
    name = target.name
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise BadInput("", f"'{name}' cannot be a rulebook's id", "use small letters, digits and dashes")
    if name in book_ids():
        raise BadInput("", f"'{name}' is a rulebook that comes with Pitboss", "choose another name")
    if target.exists():
        raise BadInput(str(target), "exists already", "choose another name, or remove it")
    book = load_book(read_document(base))
    source = book_folder(base) if base in book_ids() else Path(base)
    files = [f for f in source.iterdir() if f.name.endswith(".toml")] if source.is_dir() else [source]
    texts = {Path(file.name).name: file.read_text(encoding="utf-8") for file in files}
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=target.parent) as draft:
            for file_name, text in texts.items():
                own = _renamed(text, name=name, base=book.identity.id) if "[identity]" in text else text
                Path(draft, file_name).write_text(own, encoding="utf-8")
            Path(draft).chmod(0o755)
            os.rename(draft, target)  # the folder is there when it is whole
            os.mkdir(draft)  # for what tidies up
    except OSError as error:
        raise BadInput(
            str(target), f"cannot be written: {error.strerror}", "go to a folder that can be written"
        ) from error
    return target


def _renamed(text: str, *, name: str, base: str) -> str:
    """The file with an identity of its own; whom the base was approved by does not carry over."""
    start = text.index("[identity]")
    end = text.find("\n[", start)
    identity = text[start : end if end >= 0 else len(text)]
    changed = re.sub(r"(?m)^id = .*$", f'id = "{name}"', identity)
    changed = re.sub(r"(?m)^version = .*$", 'version = "draft"', changed)
    changed = re.sub(r"(?m)^(approved-by|based-on) = .*\n", "", changed)
    changed = changed.rstrip("\n") + f'\nbased-on = "{base}"\n'
    return text.replace(identity, changed)
