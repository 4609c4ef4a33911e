"""Rulebooks: five books as data, their readings, and the plan they compile to."""

from pitboss.rulebooks.document import book_ids, read_document
from pitboss.rulebooks.load import load_book, load_plan
from pitboss.rulebooks.plan import ClauseRef, Plan, WagerName
from pitboss.rulebooks.validate import Defect, validate

__all__ = [
    "ClauseRef",
    "Defect",
    "Plan",
    "WagerName",
    "book_ids",
    "load_book",
    "load_plan",
    "read_document",
    "validate",
]
