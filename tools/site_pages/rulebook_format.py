"""The rulebook format, written from its model: every table, key, type, default and word, with an example."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from pitboss.cards import HandClass
from pitboss.rulebooks import values
from pitboss.rulebooks.book import Book
from pitboss.rulebooks.document import book_folder
from pitboss.rulebooks.references import CITING
from pitboss.rulebooks.vocabulary import Word, meaning
from site_pages.writing import capital, code, fenced, table

EXAMPLES = ("mbs-3cp-2023", "hoiana-thb-2025")
"""Where the examples are taken from; the second for what the first does not have."""
_NAMED = {
    values.Money: "money",
    values.RankCode: "rank",
    values.PayText: "pay",
    values.Name: "name",
}
_KINDS = {
    "money": 'an amount with two decimals, as a text: `"25.00"`',
    "rank": "a rank: `A K Q J T 9 8 7 6 5 4 3 2`",
    "pay": "`5 to 1`, `40 for 1`, `10%` of the meter, or a fixed amount `200.00`",
    "name": "small letters, digits and dashes",
    "clause": "the number of a clause of this book's register",
    "hand": f"a class of hand: {', '.join(code(name.value) for name in HandClass)}",
}


def field_docs(model: type[BaseModel]) -> dict[str, str]:
    """What each field of a model means: the text that stands below it in the source."""
    (tree,) = ast.parse(inspect.cleandoc("\n" + inspect.getsource(model))).body
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for here, after in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(here, ast.AnnAssign) and isinstance(here.target, ast.Name):
            text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and after.value.value
            if isinstance(text, str):
                found[here.target.id] = " ".join(text.split())
    return found


def models() -> list[type[BaseModel]]:
    """The models of a rulebook in the order in which a reader meets them, the whole first."""
    found: dict[type[BaseModel], None] = {}

    def visit(model: type[BaseModel]) -> None:
        if model not in found:
            found[model] = None
            for field in model.model_fields.values():
                for inner in _inner_models(field.annotation):
                    visit(inner)

    visit(Book)
    return list(found)


def _inner_models(annotation: Any) -> Iterator[type[BaseModel]]:
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _inner_models(argument)


def format_page() -> str:
    """The reference of the rulebook format."""
    text = (
        "# The rulebook format\n\nA rulebook is a folder of `.toml` files, or one file; a top-level table "
        "stands in one file "
        "only. This page is made from the model that reads it (`src/pitboss/rulebooks/book.py`): what is "
        "not here is a "
        "defect. [Adding a rulebook](../adding-a-rulebook.md) goes through it in order. Besides these "
        "tables a file may "
        'begin with `extends = "ID"`, the id or path of a book it is laid over.\n\n'
        "Kinds of values besides texts, numbers and `true` or `false`:\n\n"
    )
    text += table(("kind", "what is written"), [(f"*{name}*", words) for name, words in _KINDS.items()])
    for model in models():
        text += _model(model)
    text += "\n## The words\n\nThe words are closed: these and no others.\n"
    for kind in Word.__subclasses__():
        rows = [(code(word), meaning(word)) for word in kind]
        text += f"\n### {kind.__name__} {{#{_anchor(kind)}}}\n\n{_doc(kind)}\n\n" + table(
            ("word", "meaning"), rows
        )
    return text


def _anchor(kind: type) -> str:
    return f"format-{kind.__name__.lower()}"


def _doc(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())


def _model(model: type[BaseModel]) -> str:
    heading = "The whole book" if model is Book else model.__name__
    text = f"\n## {heading} {{#{_anchor(model)}}}\n\n{_paragraphs(model)}\n\n"
    docs = field_docs(model)
    rows = [
        (
            code(field.alias or name),
            _clauses(field.alias or name, _type(field.annotation, field)),
            _default(field),
            docs.get(name, ""),
        )
        for name, field in model.model_fields.items()
    ]
    text += table(("key", "value", "default", "meaning"), rows)
    shown = _example(model)
    return text + (f"\n{shown}" if shown else "")


def _clauses(key: str, kind: str) -> str:
    """The kind of a value; texts of a key that cites are numbers of clauses."""
    return "*clause*".join(kind.rsplit("text", 1)) if key.endswith(CITING) else kind


def _paragraphs(model: type) -> str:
    return inspect.cleandoc(model.__doc__ or "")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    value = field.get_default(call_default_factory=True)
    if value is None or value == () or value == {} or value == "":
        return "left out"
    if isinstance(value, bool):
        return code(str(value).lower())
    return code(value) if isinstance(value, str | int) else "as shown"


def _type(annotation: Any, field: FieldInfo | None = None) -> str:
    """A type as a reader of TOML names it."""
    if field is not None and annotation is str and (pattern := _pattern(field)):
        return pattern
    for known, name in _NAMED.items():
        if annotation == known or _same(annotation, field, known):
            return f"*{name}*"
    origin = get_origin(annotation)
    if origin is Annotated:
        return _type(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return " or ".join(_type(part) for part in get_args(annotation) if part is not NoneType)
    if origin is Literal:
        return " or ".join(code(word) for word in get_args(annotation))
    if origin is tuple:
        return _tuple(get_args(annotation))
    if origin is dict:
        key, value = get_args(annotation)
        return f"table: {_type(key)} = {_type(value)}"
    return _class(annotation)


def _same(annotation: Any, field: FieldInfo | None, known: Any) -> bool:
    """Whether a field was declared with a named kind; pydantic takes the annotation apart."""
    base, *notes = get_args(known)
    return field is not None and annotation is base and any(note in field.metadata for note in notes)


def _pattern(field: FieldInfo) -> str:
    for note in field.metadata:
        pattern = getattr(note, "pattern", None)
        if isinstance(pattern, str):
            words = re.fullmatch(r"\^\(?([a-z|]+)\)?\$", pattern)
            return " or ".join(code(word) for word in words[1].split("|")) if words else f"text `{pattern}`"
    return ""


def _tuple(parts: tuple[Any, ...]) -> str:
    if len(parts) == 2 and parts[1] is Ellipsis:
        return f"list of {_type(parts[0])}"
    return f"[{', '.join(_type(part) for part in parts)}]"


def _class(annotation: Any) -> str:
    names = {str: "text", int: "number", bool: "`true` or `false`", object: "any value"}
    if annotation in names:
        return names[annotation]
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel | Word):
        return f"[{annotation.__name__}](#{_anchor(annotation)})"
    if inspect.isclass(annotation) and issubclass(annotation, HandClass):
        return "*hand*"
    if inspect.isclass(annotation) and issubclass(annotation, StrEnum):
        return ", ".join(code(word.value) for word in annotation)
    return str(getattr(annotation, "__name__", annotation)).lower()


def _example(model: type[BaseModel]) -> str:
    """How a book that comes with Pitboss writes a top-level table of this model."""
    keys = [
        field.alias or name
        for name, field in Book.model_fields.items()
        if model in set(_inner_models(field.annotation))
    ]
    if model is Book or len(keys) != 1:
        return ""
    for book in EXAMPLES:
        for file in sorted(book_folder(book).iterdir(), key=lambda file: file.name):
            found = re.search(rf"(?m)^\[\[?{keys[0]}[].][^#]*?(?=\n\n|\Z)", file.read_text())
            if found:
                lines = found[0].splitlines()
                more = ["# …"] if len(lines) > 12 else []
                return f"{capital(book)}:\n\n".replace(capital(book), code(book)) + fenced(
                    "\n".join(lines[:12] + more), "toml"
                )
    return ""
