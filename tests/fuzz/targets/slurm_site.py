"""Files of a Slurm site, each read beside a short slurm.conf, archives of them, and command lines of submissions."""

from __future__ import annotations

import io
import math
from collections.abc import Callable

import pyarrow as pa

from shadowtime.engine.families.rigid.slurm import ALGORITHMS
from shadowtime.engine.parameters import resolve
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.slurm.site.bundle import bundle
from shadowtime.engine.workload.slurm.site.files import read_site
from shadowtime.engine.workload.slurm.submitted import Submissions, submission_of
from tests.engine.workload.slurm_sites import CONF, EVENTS, FOLDER, NODES, QOS, TREE
from tests.engine.workload.test_slurm_bundle import SHORT, archive
from tests.engine.workload.test_slurm_conf import SCONTROL_NODES
from tests.engine.workload.test_slurm_users import RESERVATION
from tests.engine.workload.test_submissions import LINES
from tests.fuzz.target import Target
from tests.fuzz.targets.traces import shown

ENFORCED = (CONF + "AccountingStorageEnforce=limits\n").encode()
OPTIONS = b"""PriorityFlags=ACCRUE_ALWAYS,NO_FAIR_TREE
PriorityMaxAge=7-0
SchedulerParameters=bf_interval=5,defer
PriorityWeightTRES=CPU=1,GRES/gpu=2
NodeSet=s Feature=big
Include x.conf
PartitionName=DEFAULT MaxTime=1-0
PartitionName=p Nodes=s,n1 OverSubscribe=EXCLUSIVE
DownNodes=n1 State=DRAIN Reason="a \\
b"
"""


def taken(files: dict[str, bytes]) -> None:
    """Read the files of a site; what they state must be values of the algorithm."""
    cluster, stated = read_site(files)
    known = {parameter.name for parameter in ALGORITHMS[0].parameters}
    resolve(ALGORITHMS[0].parameters, {name: value for name, value in stated.items() if name in known}, "slurm")
    nodes = len(cluster.node_names)
    assert nodes == len(cluster.cores) == len(cluster.memory) == len(cluster.gpus) > 0
    assert all(part.nodes.tolist() == sorted(set(part.nodes.tolist())) for part in cluster.partitions)
    assert all(0 <= node < nodes for part in cluster.partitions for node in part.nodes.tolist())
    assert all(-1 <= one.parent < at for at, one in enumerate(cluster.associations))
    assert all(one.start <= one.end and not math.isnan(one.start) for one in cluster.outages)
    assert all(0 <= node < nodes for one in cluster.outages for node in one.nodes)


def beside(name: str) -> Callable[[bytes], None]:
    """Return the reader of one file beside a slurm.conf."""
    return lambda content: taken({"slurm.conf": ENFORCED, name: content})


def alone(content: bytes) -> None:
    """Read a slurm.conf, which may include another file."""
    taken({"slurm.conf": content, "x.conf": b"MinJobAge=1\n"})


def running(content: bytes) -> None:
    """Read what scontrol shows of a configuration."""
    taken({"slurm.conf": CONF.encode(), "config.txt": content})


def archived(content: bytes) -> object:
    """Read an archive."""
    return shown(read(io.BytesIO(content), "site.tar"))


def submissions(content: bytes) -> None:
    """Read command lines in both ways."""
    lines = content.decode("latin-1").split("\n")
    asked = Submissions(pa.array(lines, pa.string()))
    columns = (asked.nice(), asked.nodes(), asked.task_cores(), asked.whole_nodes())
    assert all(len(column) == len(lines) for column in columns)
    assert len(asked.dependencies()) == len(lines)
    for line in lines:
        assert submission_of(line)[2] >= 0


def file(name: str) -> Callable[[], list[bytes]]:
    """Return a file of the record as an example."""
    return lambda: [(FOLDER / name).read_bytes()[:3_900]]


NUMBERS = ("UNLIMITED", "1-02:03:04", "1e999", "-1", "9" * 20, "cpu=5,node=2", "parent", "|", "\xff", "\0")
TARGETS = (
    Target("slurm-conf", "slurm.conf", alone, lambda: [CONF.encode() + OPTIONS, NODES.encode(), *file("slurm.conf")()],
           words=("NodeName=", "DEFAULT", "CPUs=", "Gres=gpu:a:4(S:0-1)", "[1-9]", "[001-", "Nodes=ALL", "Include ",
                  "\\\n", "State=FUTURE", "Feature=", "+=", '"', "#", "\\#", *NUMBERS)),
    Target("slurm-running", "scontrol show config", running, file("config.txt"),
           words=("Configuration data as of ", " = ", "(null)", "KillWait", " sec", "Configuration:", *NUMBERS)),
    Target("slurm-nodes", "scontrol show node", beside("nodes"), lambda: [SCONTROL_NODES.encode()],
           words=("NodeName=", "CPUTot=", "NodeHostName=", "ActiveFeatures=", "   ", *NUMBERS)),
    Target("slurm-partitions", "scontrol show partition", beside("partitions"),
           lambda: [one.replace(b"n[001-032]", b"n[1-4]") for one in file("partitions.txt")()],
           words=("PartitionName=", "AllowGroups=", "Nodes=", "n[1-4]", "MaxTime=", *NUMBERS)),
    Target("slurm-assoc", "sacctmgr show assoc", beside("assoc"), lambda: [TREE.encode(), *file("assoc.psv")()],
           words=("|  a|", "Share", "Partition", *NUMBERS)),
    Target("slurm-qos", "sacctmgr show qos", beside("qos"),
           lambda: [QOS.encode() + b"fast|9|2.5|cpu=10|11|cpu=12,node=13|20|cpu=14|15|cpu=16|17\n", *file("qos.psv")()],
           words=("MaxWall", "Flags", *NUMBERS)),
    Target("slurm-sshare", "sshare", beside("sshare"), file("sshare_first.psv"), words=("time|", "RawUsage", *NUMBERS)),
    Target("slurm-events", "sacctmgr show event", beside("events"),
           lambda: [EVENTS.encode() + b"lab|n[1-2]|2026-11-22T12:00:00|Unknown|DOWN*|x\n", *file("events.psv")()],
           words=("DRAIN", "0001-01-01T00:00:00+23:59", "9999-12-31", *NUMBERS)),
    Target("slurm-reservations", "scontrol show reservation", beside("reservations"), lambda: [RESERVATION.encode()],
           words=("ReservationName=", "StartTime=", "MAINT", "Nodes=ALL", *NUMBERS)),
    Target("slurm-site", "Archives of a Slurm site", archived,
           lambda: [archive(("slurm.conf", CONF.encode()), ("log", SHORT))[:3_900],
                    bundle(SHORT, {"slurm.conf": CONF.encode()})[:3_900]],
           words=("ustar", "\0\0\0\0", "00000000644", "GNU.sparse.map=", "path=", "2", "5", "x", "L")),
    Target("slurm-submissions", "Command lines of submissions", submissions,
           lambda: ["\n".join(LINES).encode()],
           words=("--nice", "--nice=-5", "-N", "--nodes=", "-d", "singleton", "--wrap", "--exclusive", " : ", "\xff")),
)  # fmt: skip
