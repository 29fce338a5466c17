"""How a person writes a workload or a conversion in one word."""

from __future__ import annotations

import pytest

from shadowtime.engine.errors import InvalidParameter, UnknownName
from shadowtime.engine.workload.references import parse_conversion, parse_reference


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("lublin", ("lublin", {})),
        ("Lublin:jobs=1000, load = 0.8", ("lublin", {"jobs": "1000", "load": "0.8"})),
        ("log.swf", ("log.swf", None)),
        ("dir/file.json#name", ("dir/file.json", "name")),
        ("file.json#0", ("file.json", "0")),
        ("a#b#c", ("a#b", "c")),
        ("#odd", ("#odd", None)),
        ("C:/log.swf", ("C:/log.swf", None)),
        ("lubin:jobs=5", ("lubin:jobs=5", None)),
    ],
)
def test_workloads(text, meaning):
    assert parse_reference(text) == meaning


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("week:20", ("week", {"k": "20"})),
        ("week:20,weeks=2", ("week", {"k": "20", "weeks": "2"})),
        ("WEEK:k=20", ("week", {"k": "20"})),
        ("load:rho=0.8", ("load", {"rho": "0.8"})),
        ("load", ("load", {})),
    ],
)
def test_conversions(text, meaning):
    assert parse_conversion(text) == meaning


@pytest.mark.parametrize("text", ["lublin:1000", "lublin:=5", "lublin:jobs=5,", "lublin:jobs=5,jobs=6"])
def test_what_is_no_list_of_values(text):
    with pytest.raises(InvalidParameter, match="lublin: "):
        parse_reference(text)


def test_conversion_refusals():
    with pytest.raises(InvalidParameter, match="week: '2' is not name=value"):
        parse_conversion("week:1,2")
    with pytest.raises(InvalidParameter, match="week: k is given twice"):
        parse_conversion("week:1,k=2")
    with pytest.raises(UnknownName):
        parse_conversion("moon:1")
