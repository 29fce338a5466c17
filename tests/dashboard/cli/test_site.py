"""`shadowtime site`: tables to JSON and back, and what is refused."""

from __future__ import annotations

import json

import pytest

MACHINES = "machine;class;cluster\na1;old;west\na2;old;west\nb1;new;\n"
EXPERIENCE = "job_class;resource;mean\nmatvec;old;8\nmatvec;west;4.5\nstats;b1;3\n"


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "m.csv").write_text(MACHINES)
    (tmp_path / "e.csv").write_text(EXPERIENCE)
    return "--machines", tmp_path / "m.csv", "--experience", tmp_path / "e.csv"


def test_tables_become_a_site_that_runs_and_come_back(shadowtime, tmp_path, tables):
    site = tmp_path / "site.json"
    answer = shadowtime("site", *tables, "-o", site)

    assert answer.code == 0 and answer.out.startswith("3 machines, 1 cluster, 2 job classes in")
    assert json.loads(site.read_text())["clusters"] == [{"name": "west", "machines": ["a1", "a2"]}]
    assert shadowtime("simulate", f"{site}#5", "-a", "pjs", "--json").json["jobs"] == 5
    assert shadowtime("site", site, "-o", tmp_path / "out").code == 0
    assert (tmp_path / "out" / "machines.csv").read_text() == MACHINES.replace(";", ",")
    assert "matvec,a2,8.0,0.0,1" in (tmp_path / "out" / "experience.csv").read_text()


def test_what_is_refused(shadowtime, tmp_path, tables):
    (tmp_path / "e.csv").write_text("job_class;mean\nmatvec;3\n")

    assert "has no column resource" in shadowtime("site", *tables, "-o", tmp_path / "s.json").err
    assert "name either a SITE, or both" in shadowtime("site", *tables[:2], "-o", "s.json").err
    assert "holds a rigid workload, and no site" in shadowtime("site", "uniform:jobs=3", "-o", tmp_path).err
    assert "was not read" in shadowtime("site", "--machines", "no.csv", "--experience", "no.csv", "-o", "s.json").err
