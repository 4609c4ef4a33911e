"""Dependencies are what was pinned; `make audit` asks the advisory services too."""

from __future__ import annotations

from audit import pinned, python_problems, web_problems


def test_every_package_is_installed_as_pinned() -> None:
    assert len(pinned()) > 100
    assert python_problems() == []


def test_every_package_of_the_client_has_a_hash_and_no_address() -> None:
    assert web_problems() == []
