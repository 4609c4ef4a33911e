"""A floor that takes reports about the cards of a sealed deck, as versions did that did not open it for them."""

from __future__ import annotations

import pytest

import verify_export
from pitboss.floor import acts, void_statements


def taken_unheld(patch: pytest.MonkeyPatch) -> None:
    """Such reports are taken, and both verifiers ask for no alarm, as of records of that time."""
    patch.setattr(acts, "held_against_seal", lambda *told: "")
    patch.setattr(void_statements, "ABOUT_CARDS", frozenset())
    patch.setattr(verify_export, "ABOUT_CARDS", frozenset())
