"""The mathematics: exact, from the plan the engine interprets.

This is the optional part `maths`. Importing this package imports no kernel; the evaluators and solvers
import theirs on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pitboss.parts import require

if TYPE_CHECKING:
    from pitboss.maths.analysis import Analysis, analyse, analysis_json
    from pitboss.maths.evaluators import encode, evaluate3, evaluate5, evaluate6, evaluate7, evaluate_hand

__all__ = [
    "Analysis",
    "analyse",
    "analysis_json",
    "encode",
    "evaluate3",
    "evaluate5",
    "evaluate6",
    "evaluate7",
    "evaluate_hand",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        require("maths")
    if name in ("Analysis", "analyse", "analysis_json"):
        from pitboss.maths import analysis

        return getattr(analysis, name)
    if name in __all__:
        from pitboss.maths import evaluators

        return getattr(evaluators, name)
    raise AttributeError(f"module 'pitboss.maths' has no attribute '{name}'")
