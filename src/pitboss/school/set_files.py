"""A school's own problems on the disk: a scenario file, a set file, or a folder of scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pitboss.errors import BadInput, near_file
from pitboss.school.exercises import Exercise
from pitboss.school.own_sets import is_set, own_exercise, read_set, set_title


class OwnSet(NamedTuple):
    """Problems of a school's own, in the order in which they are asked."""

    title: str
    exercises: tuple[Exercise, ...]


def read_own(path: Path) -> OwnSet:
    """The problems of a file or folder; a set file in a folder says their order. Raises `BadInput`."""
    if path.is_dir():
        texts = {file: _text(file) for file in _scenarios(path)}
        sets = [file for file, text in texts.items() if is_set(text, name=str(file))]
        if len(sets) == 1:
            return read_own(sets[0])
        files = [file for file in texts if file not in sets]
        if sets:
            raise BadInput(str(path), "several sets are in this folder", "name one of them")
        if not files:
            raise BadInput(str(path), "no scenario is in this folder", "put scenario files (*.json) there")
        return OwnSet(path.name, tuple(own_exercise(texts[file], name=str(file)) for file in files))
    text = _text(path)
    if not is_set(text, name=str(path)):
        one = own_exercise(text, name=str(path))
        return OwnSet(one.title or path.stem, (one,))
    exercises = []
    for listed in read_set(text, name=str(path)):
        file = path.parent / listed.scenario
        exercises.append(own_exercise(_text(file), name=str(file), title=listed.title, note=listed.note))
    return OwnSet(set_title(text, name=str(path)) or path.stem, tuple(exercises))


def _scenarios(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if file.suffix == ".json")
    except OSError as error:
        raise BadInput(
            str(folder), f"cannot be read: {error.strerror}", "check the path and its rights"
        ) from error


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        remedy = near_file(str(file)) or "name a scenario, a set or a folder"
        raise BadInput(str(file), "there is no such file", remedy) from error
    except UnicodeDecodeError as error:
        raise BadInput(str(file), "not UTF-8 text", "save it as UTF-8") from error
    except OSError as error:
        raise BadInput(
            str(file), f"cannot be read: {error.strerror}", "check the path and its rights"
        ) from error
