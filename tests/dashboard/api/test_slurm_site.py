"""A log and the files of its Slurm site, sent in one request."""

from __future__ import annotations

import gzip
import hashlib
import io

import pytest

from shadowtime.engine.workload.slurm.site.bundle import bundle
from tests.conftest import FOUR_SWF
from tests.dashboard.slurm_log import EVENTS
from tests.engine.workload.slurm_sites import CONF, FOLDER, NODES, of_record
from tests.engine.workload.test_slurm_bundle import SHORT

SITE = of_record("slurm.conf", "assoc.psv", "qos.psv", "sshare.psv")
LOG = (FOLDER.parent / "plain.psv.gz").read_bytes()


def send(site, *files, **fields):
    parts = [(io.BytesIO(content if isinstance(content, bytes) else content.encode()), name) for name, content in files]
    return site.client.post("/api/workloads", data={"file": parts, **fields})


def test_several_files_are_one_workload(site):
    sent = send(site, *SITE.items(), ("plain.psv.gz", LOG))
    again = site.upload(gzip.compress(bundle(LOG, SITE)), "site.tar.gz")

    assert sent.status_code == 201, sent.json
    assert sent.json["digest"] == hashlib.sha256(bundle(LOG, SITE)).hexdigest()
    assert (again.status_code, again.json["digest"]) == (200, sent.json["digest"])
    assert sent.json["name"] == "plain.psv.tar"
    assert "The machine is that of slurm.conf: 32 nodes, 128 cores, 2 partitions." in sent.json["report"]
    assert "No reservations: there is no maintenance." in sent.json["report"]
    assert sent.json["jobs"] == 230


def test_a_run_takes_the_machine_of_the_site(site):
    workload = send(site, ("log.psv", SHORT), ("slurm.conf", CONF)).json["id"]
    asked = site.client.post("/api/runs", json={"workload": workload, "algorithm": "easy"})

    assert asked.status_code == 202, asked.json
    spec = site.client.get(f"/api/runs/{asked.json['id']}").json["spec"]
    assert spec["platform"] == {"cores_per_node": 8, "nodes": 4}


def test_included_files_come_along(site):
    sent = send(site, ("log.psv", SHORT), ("slurm.conf", "Include nodes.conf\n"), ("nodes.conf", NODES))

    assert sent.status_code == 201 and "4 nodes" in " ".join(sent.json["report"])


@pytest.mark.parametrize(
    ("files", "fields", "says"),
    [
        (
            [("slurm.conf", CONF)],
            {},
            "it is no log, but a file of a Slurm site (slurm.conf): give it together with the log",
        ),
        ([("slurm.conf", CONF), ("qos.psv", SITE["qos.psv"])], {}, "none of the 2 files is a log"),
        (
            [("a.swf", FOUR_SWF), ("b.swf", FOUR_SWF), ("slurm.conf", CONF)],
            {},
            "2 of 3 files may be the log (a.swf, b.swf)",
        ),
        ([("a.swf", FOUR_SWF), ("qos.psv", SITE["qos.psv"])], {}, "qos.psv needs the slurm.conf of the site: add it."),
        (
            [("a.swf", FOUR_SWF), ("nodes.txt", EVENTS), ("q.txt", SITE["qos.psv"])],
            {},
            "nodes.txt and q.txt need the slurm.conf of the site: add it.",
        ),
        (
            [("a.swf", FOUR_SWF), ("site.txt", CONF), ("q.txt", SITE["qos.psv"] + b"x\n")],
            {},
            "q.txt, line ",
        ),
        ([("a.swf", FOUR_SWF + "x\n"), ("slurm.conf", CONF)], {}, "a.swf was not read: "),
        ([("a.swf", FOUR_SWF), ("a.swf", CONF)], {}, "two files are called a.swf"),
        ([("a.swf", FOUR_SWF), ("slurm.conf", CONF + "x\n")], {}, "slurm.conf, line 4: 'x' is no option"),
        ([(f"{number}", "x") for number in range(17)], {}, "At most 16 files at a time."),
        ([("a.swf", FOUR_SWF), ("slurm.conf", CONF)], {"key": "12345678"}, "rename the log alone"),
    ],
)
def test_refusals(site, files, fields, says):
    sent = send(site, *files, **fields)

    assert sent.status_code in (400, 422) and says in sent.json["error"]
    assert ".tar" not in sent.json["error"]


def test_a_table_of_columns_is_asked_for_alone(site):
    parts = [(io.BytesIO(b"x"), "a"), (io.BytesIO(b"y"), "b")]
    sent = site.client.post("/api/workloads/columns", data={"file": parts})

    assert (sent.status_code, sent.json["error"]) == (400, "One file at a time.")
