"""Pitboss: house-banked poker by the book, run, proved and priced."""

__version__ = "0.1.0"
