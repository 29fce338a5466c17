"""The words of a parameter and what they mean: for the page of algorithms and the help of the command line."""

from __future__ import annotations

from shadowtime.engine.families.rigid.orders import ORDERS
from shadowtime.engine.parameters import Choice, Phrase, Text

KEYS = (
    "The waiting job with the smallest key goes first; of an expression of your own, that with the largest value. "
    "In keys, w: wait, r: request, n: processors, s: seconds since the first submission, plus 1."
)


def meanings(parameter: Choice) -> list[tuple[str, str]]:
    """Return each word as it is typed, `mean:k`, and its meaning; of an order of the queue also its key."""
    keyed = is_order(parameter)
    found = []
    for word, label in parameter.choices.items():
        parts = [label]
        if keyed and word in ORDERS:
            parts.append(f"key {ORDERS[word].key}".replace("s'", "s"))
        form = word
        argument = parameter.arguments.get(word) if isinstance(parameter, Phrase) else None
        if argument is not None:
            name = argument.name or ("..." if isinstance(argument, Text) else argument.text.rstrip(".").split()[-1])
            form = f"{word}:{name}=..." if argument.name else f"{word}:{name}"
            rule = argument.rule()
            parts.append(rule if argument.default is None else f"{rule}; {argument.default:g} if left out")
        found.append((form, ": ".join(part for part in parts if part and part != word)))
    return found


def is_order(parameter: Choice) -> bool:
    """Return whether the words are the orders of the queue, whose keys `KEYS` explains."""
    return isinstance(parameter, Phrase) and set(ORDERS) <= set(parameter.choices)
