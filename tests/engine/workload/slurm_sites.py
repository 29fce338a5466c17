"""Files of a Slurm site for tests: those of the record, and short ones."""

from __future__ import annotations

from pathlib import Path

from shadowtime.engine.workload.slurm.cluster import Cluster
from shadowtime.engine.workload.slurm.site.files import read_site

FOLDER = Path(__file__).parent / "slurm" / "site"
NODES = "NodeName=n[1-4] CPUs=8 RealMemory=1000\n"
CONF = f"ClusterName=lab\n{NODES}PartitionName=batch Nodes=ALL Default=YES\n"
TREE = (
    "Cluster|Account|User|Share|GrpJobs|GrpTRES|MaxJobs|MaxTRES|MaxWall|QOS\n"
    "lab|root|||||||\nlab| a||10||||||\nlab|  a|ann|parent||||||\nlab|  a|bob|3||||||\n"
).replace("root|||||||\n", "root||1||||||\n")
QOS = "Name|Priority|UsageFactor|GrpTRES|GrpJobs|MaxTRES|MaxWall|MaxTRESPU|MaxJobsPU|MaxTRESPA|MaxJobsPA\n"
EVENTS = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason\n"


def of_record(*names: str) -> dict[str, bytes]:
    """Return files of the record."""
    return {name: (FOLDER / name).read_bytes() for name in names}


def site(conf: str = CONF, **others: str) -> Cluster:
    """Return the cluster of a slurm.conf and other files."""
    return stated(conf, **others)[0]


def stated(conf: str = CONF, **others: str) -> tuple[Cluster, dict]:
    """Return the cluster and the parameters of a slurm.conf and other files."""
    return read_site({"slurm.conf": conf.encode()} | {name: text.encode() for name, text in others.items()})
