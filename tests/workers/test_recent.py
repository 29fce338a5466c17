"""The cache of values used last."""

from __future__ import annotations

from shadowtime.workers.recent import Recent


def test_the_value_used_least_recently_is_dropped():
    recent: Recent[str] = Recent(2)
    for key in ("a", "b"):
        recent.get(key, key.upper)
    assert recent.find("a") == "A"  # now b is the older one

    recent.get("c", lambda: "C")

    assert [recent.find(key) for key in ("a", "b", "c")] == ["A", None, "C"]


def test_a_held_value_is_not_made_again():
    recent: Recent[list[int]] = Recent(1)
    made = recent.get("a", list)

    assert recent.get("a", lambda: [1]) is made
