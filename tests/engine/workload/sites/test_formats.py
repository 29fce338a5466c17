"""Each format of sites recognizes its own files and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shadowtime.engine import registry
from shadowtime.engine.workload.sites.formats import FORMATS
from tests.engine.workload.test_google import EVENTS, TABLE
from tests.fuzz.examples import FOUR, instances

FOLDER = Path(__file__).parent
SLURM = FOLDER.parent / "slurm"
OWN = {
    "pbs": ("xdmod.pbs", "manuals.pbs"),
    "lsf": ("lsb.acct",),
    "sge": ("accounting.sge",),
    "condor": ("condor.history",),
}


@pytest.mark.parametrize(("slug", "name"), [(slug, name) for slug, names in OWN.items() for name in names])
def test_a_file_has_one_format(slug, name):
    head = (FOLDER / name).read_bytes()
    known = registry.formats().values()

    assert [one.slug for one in known if one.recognizes and one.recognizes(head)] == [slug]


@pytest.mark.parametrize(
    "head",
    [FOUR, EVENTS, TABLE, *instances(), json.dumps([1, 2]).encode(), b"x", b"#", b"a = b\nc = d\n", b"::::" * 20],
)
def test_files_of_other_formats_are_left_alone(head):
    assert not [one.slug for one in FORMATS if one.recognizes and one.recognizes(head)]


@pytest.mark.parametrize("name", ["sacct_all.psv", "sacct_short.psv", "sacct_table.txt"])
def test_texts_of_sacct_are_those_of_slurm(name):
    head = (SLURM / name).read_bytes()
    assert [one.slug for one in FORMATS if one.recognizes and one.recognizes(head)] == ["sacct"]
