"""Lanes as text, in the format of Batsim: `0-3 7`."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def lane_texts(owner: np.ndarray, first: np.ndarray, last: np.ndarray, owners: int) -> list[str]:
    """Return the lanes of each of `owners` owners 0, 1, ... as text; ranges that touch or overlap are joined.

    Parameters
    ----------
    owner, first, last
        One range per row: its owner, and its lanes `first..last`, both included; in any order.

    Returns
    -------
    One text per owner, empty for an owner without ranges: "0-3 7".
    """
    # Lanes of an owner are shifted by owner * stride, so that one running maximum serves all owners at once.
    stride = int(last.max(initial=0)) + 3
    low, high = owner.astype("i8") * stride + first, owner.astype("i8") * stride + last
    order = np.argsort(low, kind="stable")
    low, high = low[order], np.maximum.accumulate(high[order])
    opens = np.ones(len(low), bool)
    opens[1:] = low[1:] > high[:-1] + 1
    begins = np.flatnonzero(opens)
    ends = high[np.append(begins[1:], len(low)) - 1] if len(low) else high
    begins = low[begins]
    pairs = zip((begins % stride).tolist(), (ends % stride).tolist(), strict=True)
    texts = [f"{a}-{b}" if a < b else str(a) for a, b in pairs]
    bounds = np.searchsorted(begins // stride, np.arange(owners + 1)).tolist()
    return [texts[a] if b - a == 1 else " ".join(texts[a:b]) for a, b in pairwise(bounds)]
