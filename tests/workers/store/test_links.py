"""Short links."""

from __future__ import annotations

import pytest

from engine.errors import InvalidParameter
from workers.errors import NotFound
from workers.store import open_store


def test_a_link_leads_where_it_was_made(tmp_path):
    links = open_store(tmp_path).links
    code = links.make("/runs/13189c2c62a84589?v=1&from=0")

    assert links.read(code) == "/runs/13189c2c62a84589?v=1&from=0"
    assert links.make("/runs/13189c2c62a84589?v=1&from=0") == code
    assert links.make("/runs/13189c2c62a84589") != code
    assert len(code) == 8


def test_two_targets_never_share_a_code(tmp_path):
    links = open_store(tmp_path).links
    code = links.make("/runs")
    (tmp_path / "links" / f"{code}.json").write_text('{"target": "/somewhere/else"}')

    longer = links.make("/runs")

    assert longer != code and longer.startswith(code)
    assert (links.read(code), links.read(longer)) == ("/somewhere/else", "/runs")


@pytest.mark.parametrize("target", ["", "runs", "//elsewhere", "/\\elsewhere", "http://x", "/a b", "/a\n", "/" * 5000])
def test_a_link_leads_to_no_other_site(tmp_path, target):
    with pytest.raises(InvalidParameter):
        open_store(tmp_path).links.make(target)


@pytest.mark.parametrize("code", ["", "aaaaaaaa", "../runs/x", "AAAAAAAA", "index.sqlite"])
def test_unknown_code_is_not_found(tmp_path, code):
    with pytest.raises(NotFound):
        open_store(tmp_path).links.read(code)
