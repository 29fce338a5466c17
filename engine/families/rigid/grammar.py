"""The grammar of an order of one's own: text -> codes of a stack machine.

sum     = product { ("+" | "-") product }
product = signed { ("*" | "/") signed }
signed  = [ "+" | "-" ] signed | power
power   = atom [ "**" signed ]
atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from shadowtime.engine.errors import InvalidParameter

NAMES = {"w": "wait [s]", "r": "request [s]", "n": "processors", "s": "seconds since the first submission, plus 1"}
FUNCTIONS = {"log2": 1, "log10": 1, "sqrt": 1, "min": 2, "max": 2}
"""Functions and their numbers of arguments."""
CODES = ("number", *NAMES, "+", "-", "*", "/", "**", "negate", *FUNCTIONS)
"""Codes of the stack machine, by position; `engine.families.rigid.expression.evaluate` executes them."""
LONGEST = 200
DEEPEST = 30
"""Most characters of an expression, and most parentheses and signs inside each other."""
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/(),]))")
RULE = (
    f"an expression of {', '.join(NAMES)}, numbers, + - * / **, parentheses and {', '.join(FUNCTIONS)}, "
    "for example (w/r)**3*n"
)


def wrong(text: str, at: int, what: str) -> InvalidParameter:
    """Return the error that names the position in the text, counted from 1."""
    where = f"at character {at + 1}" if at < len(text) else "at its end"
    return InvalidParameter(f"order = 'expr:{text[:80]}': {what} {where}; it must be {RULE}")


@dataclass
class Reader:
    """Reads one expression from left to right and writes its codes."""

    text: str
    at: int = 0
    kind: str = ""
    """What the current token is: number, name, sign, or empty at the end."""
    token: str = ""
    begin: int = 0
    depth: int = 0
    codes: list[int] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)

    def read(self) -> None:
        """Read the whole text; InvalidParameter names the first mistake and its place."""
        if len(self.text) > LONGEST:
            raise wrong(self.text, LONGEST, f"longer than {LONGEST} characters")
        self.step()
        self.sum()
        if self.kind:
            raise wrong(self.text, self.begin, f"{self.token!r} is not expected")

    def step(self) -> None:
        """Go to the next token."""
        rest = len(self.text) - len(self.text[self.at :].lstrip())
        self.begin = rest
        if rest == len(self.text):
            self.kind = self.token = ""
            return
        found = TOKEN.match(self.text, self.at)
        if found is None:
            raise wrong(self.text, rest, f"{self.text[rest]!r} is not understood")
        self.kind = ("number", "name", "sign")[(found.lastindex or 1) - 1]
        self.token, self.at = found.group(found.lastindex or 1), found.end()

    def is_sign(self, *signs: str) -> bool:
        """Return whether the current token is one of these signs."""
        return self.kind == "sign" and self.token in signs

    def write(self, code: str, number: float = 0.0) -> None:
        """Append one code."""
        self.codes.append(CODES.index(code))
        self.numbers.append(number)

    def sum(self) -> None:
        self.chain(self.product, "+", "-")

    def product(self) -> None:
        self.chain(self.signed, "*", "/")

    def chain(self, operand: Callable[[], None], *signs: str) -> None:
        """Read operands with one of these signs between them."""
        operand()
        while self.is_sign(*signs):
            sign = self.token
            self.step()
            operand()
            self.write(sign)

    def signed(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise wrong(self.text, self.begin, f"more than {DEEPEST} parentheses and signs inside each other")
        if self.is_sign("+", "-"):
            sign = self.token
            self.step()
            self.signed()
            if sign == "-":
                self.write("negate")
        else:
            self.power()
        self.depth -= 1

    def power(self) -> None:
        self.atom()
        if self.is_sign("**"):
            self.step()
            self.signed()
            self.write("**")

    def atom(self) -> None:
        if self.kind == "number":
            self.write("number", float(self.token))
            self.step()
        elif self.kind == "name":
            self.name()
        elif self.is_sign("("):
            self.step()
            self.sum()
            self.expect(")")
        else:
            what = f"{self.token!r} is not expected" if self.kind else "something is missing"
            raise wrong(self.text, self.begin, what)

    def name(self) -> None:
        name, begin = self.token.lower(), self.begin
        self.step()
        if name in NAMES:
            self.write(name)
            return
        if name not in FUNCTIONS:
            raise wrong(self.text, begin, f"{name!r} is not known")
        self.expect("(")
        self.sum()
        for _ in range(1, FUNCTIONS[name]):
            self.expect(",")
            self.sum()
        self.expect(")")
        self.write(name)

    def expect(self, sign: str) -> None:
        """Go past `sign`; InvalidParameter if the current token is another."""
        if not self.is_sign(sign):
            raise wrong(self.text, self.begin, f"{sign!r} is missing")
        self.step()


def canonical(text: str) -> str:
    """Return an expression without blanks and quotes, in lower case; InvalidParameter if it is none."""
    stripped = text.strip()
    if len(stripped) > 1 and stripped[0] == stripped[-1] and stripped[0] in "\"'":
        stripped = stripped[1:-1]
    Reader(stripped).read()
    return "".join(stripped.split()).lower()
