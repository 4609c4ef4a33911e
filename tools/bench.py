"""Ratios measured in one run: `make bench`."""

from __future__ import annotations
