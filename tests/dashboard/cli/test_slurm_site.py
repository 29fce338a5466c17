"""Files of a Slurm site on the command line and in Python: the same as an archive of them."""

from __future__ import annotations

import gzip
import re

import pytest

import shadowtime as st
from shadowtime.dashboard.cli.parser import SITE
from shadowtime.dashboard.intake.site_files import OPTIONS
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.slurm.site.bundle import bundle
from tests.engine.workload.slurm_sites import FOLDER, of_record

LOG = FOLDER.parent / "plain.psv.gz"
GIVEN = {"machine": "slurm.conf", "associations": "assoc.psv", "qos": "qos.psv", "shares": "sshare.psv",
         "events": "events.psv"}  # fmt: skip


def options(**given):
    return [word for name, file in given.items() for word in (f"--{name}", str(FOLDER / file))]


@pytest.fixture(scope="module")
def tar(tmp_path_factory):
    path = tmp_path_factory.mktemp("site") / "site.tar"
    path.write_bytes(bundle(gzip.decompress(LOG.read_bytes()), of_record(*GIVEN.values())))
    return path


def test_each_file_has_an_option():
    assert SITE.keys() == OPTIONS.keys()


def test_files_one_by_one_are_those_of_the_archive(shadowtime, tar):
    alone = shadowtime("simulate", LOG, "-a", "easy", *options(**GIVEN))
    packed = shadowtime("simulate", tar, "-a", "easy")

    assert alone.code == packed.code == 0
    assert re.findall(r"Run \w+", alone.out) == re.findall(r"Run \w+", packed.out) != []
    assert "The machine is that of slurm.conf: 32 nodes, 128 cores, 2 partitions." in alone.out


def test_python_reads_the_same(tar):
    read = st.read(LOG, **{name: FOLDER / file for name, file in GIVEN.items()})

    assert read.source == st.read(tar).source
    assert read.cluster is not None and len(read.cluster.outages) == 2
    framed = st.Workload.from_frame(read.to_frame())
    assert repr(framed.cluster) == repr(read.cluster) and framed.source == read.source
    assert repr(st.Workload.from_frame(read.to_frame().iloc[:9]).cluster) == repr(read.cluster)
    assert st.read(LOG, machine=[FOLDER / "slurm.conf", FOLDER / "config.txt"]).machine["favor_small"] is False
    with pytest.raises(InvalidWorkload, match="named by its path"), LOG.open("rb") as stream:
        st.read(stream, machine=FOLDER / "slurm.conf")


def test_other_commands_take_them(shadowtime, tmp_path):
    site, swf = options(machine="slurm.conf"), tmp_path / "a.swf"

    assert shadowtime("waits", LOG, "--json", *site).json
    assert shadowtime("convert", LOG, "-o", swf, *site).code == 0
    assert len(st.read(swf)) == 230


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (options(qos="qos.psv"), "qos.psv needs the slurm.conf of the site: add it."),
        (options(machine="slurm.conf", qos="assoc.psv"), "give it as associations, not qos"),
        (["--machine", str(LOG)], "plain.psv.gz is no file of a Slurm site"),
        (["--machine", "gone.conf"], "gone.conf was not read: no such file or directory"),
        ([*options(machine="slurm.conf"), *options(machine="slurm.conf")], "two files are called slurm.conf"),
    ],
)
def test_refusals(shadowtime, words, says):
    answer = shadowtime("simulate", LOG, "-a", "easy", *words)

    assert answer.code == 2 and says in answer.err


def test_jobs_that_are_drawn_have_no_site(shadowtime):
    answer = shadowtime("simulate", "lublin:jobs=5", "-a", "easy", *options(machine="slurm.conf"))

    assert answer.code == 2 and "--machine: files of a site go with logs" in answer.err
