"""A log and the files of its site in one archive."""

from __future__ import annotations

import gzip
import io
import tarfile

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import algorithms
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import cases, columns, read
from shadowtime.engine.workload.sites.tables.writing import pseudonyms, write_table
from shadowtime.engine.workload.slurm.site.bundle import bundle
from tests.engine.workload.slurm_sites import CONF, FOLDER, NODES, QOS, of_record
from tests.fuzz.examples import FOUR

SITE = of_record("slurm.conf", "assoc.psv", "qos.psv", "sshare.psv", "events.psv")
LOG = (FOLDER.parent / "plain.psv.gz").read_bytes()
SHORT = b"JobID|User|Submit|Start|End|NCPUS\n1|ann|2026-03-01T00:00:00|2026-03-01T00:00:01|2026-03-01T00:00:09|3\n"


def archive(*members, kind=tarfile.USTAR_FORMAT):
    """An archive of pairs of names (or descriptions) and contents."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=kind) as tar:
        for name, content in members:
            info = name if isinstance(name, tarfile.TarInfo) else tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return made.getvalue()


def reading(content, name="site.tar", **limits):
    return read(io.BytesIO(content), name, limits=Limits(**limits))


def test_the_record_with_its_site():
    workload, alone = reading(bundle(LOG, SITE)), read(io.BytesIO(LOG), "plain.psv.gz")

    assert workload.cluster is not None and alone.cluster is None
    assert all(np.array_equal(workload.jobs[name], alone.jobs[name], equal_nan=True) for name in alone.jobs)
    assert workload.machine["weight_fair_share"] == 2000.0
    assert Platform.of(workload) == Platform(nodes=32, cores_per_node=4)
    size = "The machine is that of slurm.conf: 32 nodes, 128 cores, 2 partitions."
    assert workload.report[:2] == (alone.report[0], size)
    assert workload.report[2:] == (*alone.report[1:], "No reservations: there is no maintenance.")
    assert workload.name == "site.tar" and workload.source["case"] is None
    named = {"plain": workload.texts["user"], "tree": {one.user for one in workload.cluster.associations}}
    assert set(named["plain"]) <= named["tree"]


def test_equal_contents_have_equal_bytes():
    renamed = {f"my/{name}.old": content for name, content in reversed(SITE.items())}
    first = bundle(LOG, SITE)

    assert bundle(gzip.decompress(LOG), renamed) == first
    assert bundle(LOG, {**SITE, "slurm.conf": SITE["slurm.conf"] + b"\n"}) != first
    assert reading(first).source == reading(gzip.compress(first)).source


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_archives_of_other_programs(kind):
    folder = tarfile.TarInfo("site")
    folder.type = tarfile.DIRTYPE
    long = "/".join(["../etc", *["x" * 40] * 2, "slurm.conf"])
    content = archive((folder, b""), (long, CONF.encode()), ("site/._log", b"\0"), ("site/log é", SHORT), kind=kind)

    assert reading(content).machine == {"nodes": 4, "cores_per_node": 8}


@pytest.mark.parametrize("log", [FOUR, SHORT, b"submit,runtime,cores,user\n0,5,2,ann\n"])
def test_logs_of_other_formats(log):
    workload = reading(bundle(log, {"slurm.conf": CONF.encode()}))

    assert workload.machine == {"nodes": 4, "cores_per_node": 8}
    assert workload.cluster is not None


def test_a_table_takes_its_columns():
    log = b"begun,took,cores\n0,5,2\n"
    content = bundle(log, {"slurm.conf": CONF.encode()})

    assert read(io.BytesIO(content), "a.tar", "submit=begun,runtime=took:minutes").jobs["runtime"].tolist() == [300.0]
    assert cases(io.BytesIO(content)) == [] and columns(io.BytesIO(content), "a.tar") is None


def test_included_files_are_members():
    files = {"slurm.conf": b"ClusterName=lab\nInclude /etc/slurm/nodes.conf\n", "deep/nodes.conf": NODES.encode()}

    assert reading(bundle(SHORT, files)).machine == {"nodes": 4, "cores_per_node": 8}


def test_outages_need_dates():
    undated = reading(bundle(b"submit,runtime,cores\n0,5,2\n", of_record("slurm.conf", "events.psv")))

    assert undated.cluster.outages == ()
    assert "The log has no dates: the outages of the site are left out." in undated.report


def test_what_the_model_has_not_is_in_the_report():
    workload = reading(bundle(SHORT, {"slurm.conf": (CONF + "PriorityFlags=DEPTH_OBLIVIOUS\nNew=1\n").encode()}))

    assert workload.report[-1] == "The model has not: PriorityFlags=DEPTH_OBLIVIOUS, New=1."


def special(kind, link=""):
    info = tarfile.TarInfo("bad")
    info.type, info.linkname = kind, link
    return info


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (archive(("slurm.conf", CONF.encode())), "none of the 1 files is a log: give one, and files of its site"),
        (
            archive(("a", SHORT), ("slurm.conf", CONF.encode()), ("b", SHORT)),
            r"2 of 3 files may be the log \(a, b\): give one",
        ),
        (archive(("log", SHORT)), "this archive needs the slurm.conf of the site"),
        (archive(("log", SHORT), ("qos", QOS.encode())), "qos needs the slurm.conf of the site"),
        (archive((special(tarfile.SYMTYPE, "/etc/passwd"), b"")), "bad in the archive is no plain file"),
        (archive((special(tarfile.LNKTYPE, "/etc/passwd"), b"")), "bad in the archive is no plain file"),
        (archive((special(tarfile.CHRTYPE), b"")), "bad in the archive is no plain file"),
        (archive(*((f"f{number}", b"x") for number in range(17))), "more than 16 files, the limit here"),
        (archive(("a/x", SHORT), ("b/x", SHORT)), "two files in the archive are called x"),
        (archive(("slurm.conf", CONF.encode()), ("log", SHORT))[:1700], "ends in the middle|is damaged"),
        (archive(("log", archive(("log", SHORT))), ("slurm.conf", CONF.encode())), "is an archive itself"),
        (archive(("log", gzip.compress(archive(("x", b"y")))), ("slurm.conf", CONF.encode())), "is an archive itself"),
        (archive(("log", b'{"kind": "moldable"}'), ("slurm.conf", CONF.encode())), "log was not read|rigid"),
    ],
)
def test_refusals(content, says):
    with pytest.raises(InvalidWorkload, match=f"site.tar was not read: .*{says}"):
        reading(content)


def test_an_archive_that_is_too_large():
    with pytest.raises(InvalidWorkload, match="an archive has at most 5 kB here"):
        reading(bundle(SHORT, {"slurm.conf": CONF.encode()}), bundle=5000)


def test_an_archive_takes_no_other_files():
    with pytest.raises(InvalidWorkload, match="the log is an archive with the files of a site already"):
        bundle(bundle(SHORT, {"slurm.conf": CONF.encode()}), {"slurm.conf": CONF.encode()})
    with pytest.raises(InvalidWorkload, match="there are 16 files of a site; 15 are the most"):
        bundle(SHORT, {f"{number}": b"" for number in range(16)})


@pytest.mark.parametrize(
    "name", ["slurm.conf", "config.txt", "partitions.txt", "assoc.psv", "qos.psv", "sshare.psv", "events.psv"]
)
def test_a_file_of_a_site_alone_is_no_log(name):
    with pytest.raises(InvalidWorkload, match=r"no log, but a file of a Slurm site .*give it together with"):
        reading(of_record(name)[name], name)


def test_pseudonyms_are_for_logs_alone():
    with pytest.raises(UnsupportedWorkload, match="rename the log alone"):
        write_table(reading(bundle(LOG, SITE)), io.BytesIO(), pseudonyms(b"12345678"))


def test_what_the_files_state_suits_every_algorithm():
    workload = reading(bundle(LOG, SITE))

    for algorithm in algorithms().values():
        if "rigid" in algorithm.kinds:
            algorithm.parameters_for(workload)
