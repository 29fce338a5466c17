"""Scan regular lines of the standard workload format with compiled code.

What it leaves, the library and the line-by-line reader of `swf` read, with all messages: exponents, signs of plus, more
than 15 digits, words that are no numbers, lines without exactly 18 words, comments, and values beyond a limit.
"""

from __future__ import annotations

import numpy as np

from shadowtime.engine.kernel.cache import compiled, expanded

BLANK, NEWLINE, DOT, MINUS, ZERO = (np.uint8(byte) for byte in (32, 10, 46, 45, 48))
TAB, RETURN, LOWEST = np.uint8(9), np.uint8(13), np.uint8(14)
DIGITS = 15
"""Whole numbers of so many digits, and powers of ten up to 22, are exact in 64 bits: their quotient is the number that
is nearest to the decimal one, which a library returns too."""
POWERS = 10.0 ** np.arange(DIGITS + 1)


@expanded
def digits_from(text, at, number):
    """Append the digits from `at` on to a number; return the place behind them, and the number."""
    while True:
        digit = text[at] - ZERO
        if digit > 9:
            return at, number
        number = number * 10 + np.int64(digit)
        at += 1


@compiled
def scan(text, places, largest, whole, longest, powers, values):
    """Write the records of whole lines into `values`, a row a field; return their number, -1 if a line is irregular.

    text: bytes, the last of them a newline. places: row in `values` of each of the 18 words, -1 for one that is not
    read. largest, whole: limit of each row, and whether it needs whole numbers. longest: most bytes of a line.
    """
    at, end, record, words = 0, len(text), 0, len(places)
    while at < end:
        begin, word = at, 0
        while True:
            byte = text[at]
            if byte == NEWLINE:
                break
            if byte in (BLANK, TAB, RETURN):
                at += 1
                continue
            if byte < LOWEST or word == words:
                return -1
            place = places[word]
            word += 1
            if place < 0:
                while text[at] > BLANK:
                    at += 1
            else:
                is_negative = byte == MINUS
                if is_negative:
                    at += 1
                first = at
                at, number = digits_from(text, at, np.int64(0))
                digits, decimals = at - first, 0
                if text[at] == DOT:
                    point = at + 1
                    at, number = digits_from(text, point, number)
                    decimals = at - point
                    digits += decimals
                if digits == 0 or digits > DIGITS:
                    return -1
                value = float(number)
                if decimals > 0:
                    value /= powers[decimals]
                if value > largest[place] or (whole[place] and value != np.floor(value)):
                    return -1
                values[place, record] = -value if is_negative else value
            byte = text[at]
            if byte not in (BLANK, NEWLINE, TAB, RETURN):
                return -1
        if at - begin > longest or (word > 0 and word != words):
            return -1
        record += word > 0
        at += 1
    return record
