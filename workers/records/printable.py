"""Texts as records keep them: one can print them, and each database stores them."""

from __future__ import annotations


def cut(text: str, most: int) -> str:
    """Return the longest beginning of a text that takes at most `most` bytes as UTF-8."""
    return text.encode()[:most].decode(errors="ignore")


def printable(text: str, kept: str = "") -> str:
    """Return a text with a space for each character that cannot be printed, but for those in `kept`."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in kept else " " for letter in text)
