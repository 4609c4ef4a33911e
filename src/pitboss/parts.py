"""The optional parts of Pitboss: which packages each brings, and the command that installs it.

Each part is an extra of the package (`pip install 'pitboss[maths]'`). Everything outside the parts works with
the base installation; a test holds these tables against `pyproject.toml` and against every import.
"""

from __future__ import annotations

from importlib.util import find_spec

from pitboss.errors import MissingPart

PARTS: dict[str, tuple[str, ...]] = {
    "maths": ("numba", "numpy", "scipy"),
    "server": (
        "aiohttp", "argon2", "httptools", "jinja2", "litestar", "prometheus_client", "structlog",
        "uvicorn", "uvloop", "websockets", "zxcvbn",
    ),
    "postgres": ("psycopg",),
    "reports": ("jinja2", "markupsafe", "matplotlib", "reportlab"),
    "cluster": ("distributed",),
}  # fmt: skip
"""The packages of each part, by the names they are imported under."""

NEEDS: dict[str, tuple[str, ...]] = {"reports": ("maths",), "cluster": ("maths",)}
"""The parts that a part cannot work without; its extra brings them too."""


def is_installed(part: str) -> bool:
    """Whether every package of a part is here, and the parts it needs. Nothing is imported to find out."""
    return all(find_spec(name) is not None for name in PARTS[part]) and all(
        is_installed(needed) for needed in NEEDS.get(part, ())
    )


def require(*parts: str, place: str = "", instead: str = "") -> None:
    """Raise `MissingPart` with one command for all of these parts that are not installed.

    `place` names the option that asks for them, `instead` what works without them.
    """
    missing = tuple(part for part in parts if not is_installed(part))
    if missing:
        raise MissingPart(*missing, place=place, instead=instead)


def missing_part(error: ModuleNotFoundError) -> MissingPart | None:
    """The part that a failed import belongs to; None where it belongs to none, which is a bug."""
    package = (error.name or "").partition(".")[0]
    found = next((part for part, packages in PARTS.items() if package in packages), None)
    return None if found is None else MissingPart(found)
