"""slurm.conf and what `scontrol show` prints: lines, nodes, partitions, general options, and each refusal."""

from __future__ import annotations

import time

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.families.rigid.slurm import ALGORITHMS
from shadowtime.engine.workload.slurm.site.files import read_site
from shadowtime.engine.workload.slurm.site.text import seconds_of
from tests.engine.workload.slurm_sites import CONF, NODES, of_record, site, stated

PARAMETERS = {
    "weight_age": 1000.0, "weight_fair_share": 2000.0, "weight_job_size": 500.0, "weight_partition": 100.0,
    "weight_qos": 300.0, "max_age": 600.0, "half_life": 600.0, "calc_period": 60.0, "kill_wait": 5.0,
    "accrue_always": True, "bf_interval": 5.0, "sched_interval": 5.0, "bf_resolution": 1.0, "bf_max_job_test": 500,
    "default_queue_depth": 100,
}  # fmt: skip
OF_SCONTROL = {"favor_small": False}
"""What `scontrol show config` prints beyond slurm.conf."""


def test_the_configuration_of_the_record():
    cluster, parameters = read_site(of_record("slurm.conf"))

    assert parameters == {"nodes": 32, "cores_per_node": 4, **PARAMETERS}
    assert cluster.node_names[0] == "n001" and cluster.node_names[-1] == "n032"
    assert cluster.cores.tolist() == [4] * 32 and cluster.memory.tolist() == [16000.0] * 32
    assert not cluster.gpus.any() and not cluster.tracks_memory and not cluster.whole_nodes
    batch, short = cluster.partitions
    assert (batch.name, batch.is_default, batch.job_factor, batch.max_time) == ("batch", True, 1.0, 86_400.0)
    assert (short.name, short.is_default, short.job_factor, short.max_time) == ("short", False, 3.0, 600.0)
    assert batch.nodes.tolist() == short.nodes.tolist() == list(range(32))
    assert cluster.ignored == ()
    assert cluster.assumed == (
        "No associations: every user has one share under the root, and no usage at the start.",
        "No QOS: all have priority 0 and no limits.",
        "No events: no node fails or is drained.",
        "No reservations: there is no maintenance.",
    )


def test_scontrol_says_the_same_as_the_file():
    cluster, parameters = read_site(of_record("config.txt", "slurm.conf", "partitions.txt"))

    assert parameters == {"nodes": 32, "cores_per_node": 4, **PARAMETERS, **OF_SCONTROL}
    assert [(one.name, one.is_default, one.job_factor, one.max_time, one.qos) for one in cluster.partitions] == [
        ("batch", True, 1.0, 86_400.0, ""), ("short", False, 3.0, 600.0, ""),
    ]  # fmt: skip
    assert cluster.ignored == ()


def test_every_parameter_that_is_stated_is_one_of_the_algorithm():
    text = CONF + (
        "PriorityWeightTRES=CPU=1,Mem=2,GRES/gpu=3,license/x=4\nPriorityFavorSmall=YES\nOverTimeLimit=2\n"
        "PriorityFlags=SMALL_RELATIVE_TO_TIME,NO_FAIR_TREE,DEPTH_OBLIVIOUS\n"
        "SchedulerParameters=defer,bf_window=2880,bf_max_job_user=3,batch_sched_delay=0,sched_min_interval=9,"
        "bf_busy_nodes,max_rpc_cnt=150,default_queue_depth=7\n"
    )
    cluster, parameters = stated(text)
    known = {one.name: one for one in ALGORITHMS[0].parameters}

    parameters = {name: value for name, value in parameters.items() if name not in ("nodes", "cores_per_node")}
    assert parameters == {
        "weight_cpu": 1.0, "weight_memory": 2.0, "weight_gpu": 3.0, "favor_small": True,
        "size_relative_to_time": True, "fair_share": "classic", "defer": True, "bf_window": 2880.0,
        "bf_max_job_user": 3, "batch_sched_delay": 0.0, "default_queue_depth": 7,
    }  # fmt: skip
    assert all(known[name].check(value, "slurm") == value for name, value in parameters.items())
    assert cluster.ignored == (
        "PriorityFlags=DEPTH_OBLIVIOUS",
        "PriorityWeightTRES=license/x",
        "SchedulerParameters=bf_busy_nodes",
        "SchedulerParameters=max_rpc_cnt=150",
        "OverTimeLimit=2",
    )


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 5400.0), ("1:30", 90.0), ("2:00:30", 7230.0), ("1-12", 129_600.0), ("1-12:30", 131_400.0),
     ("7-12:30:15", 649_815.0), ("UNLIMITED", np.inf), ("infinite", np.inf), ("0", 0.0), ("", None), ("1h", None),
     ("1:2:3:4", None), ("-5", None), ("1-", None)],
)  # fmt: skip
def test_forms_of_time(text, seconds):
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    ("line", "parameter", "value"),
    [
        ("PriorityMaxAge=7-0", "max_age", 604_800.0),
        ("PriorityDecayHalfLife=0", "half_life", 0.0),
        ("PriorityCalcPeriod=5", "calc_period", 300.0),
        ("KillWait=30", "kill_wait", 30.0),
        ("PriorityFlags=FAIR_TREE", "fair_share", "tree"),
        ("SchedulerType=sched/builtin", "backfill_loop", False),
        ("SchedulerParameters=bf_interval=-1", "backfill_loop", False),
        ("PriorityType=priority/basic", "weight_fair_share", 0.0),
        ('SchedulerParameters="bf_interval=9, bf_resolution=60"', "bf_resolution", 60.0),
        ("schedulerPARAMETERS = bf_interval=9", "bf_interval", 9.0),
        ("SchedulerParameters=bf_interval=9\nSchedulerParameters+=bf_resolution=7", "bf_resolution", 7.0),
        ("SchedulerParameters=bf_interval=9,\\\nbf_window=60", "bf_interval", 9.0),
        ("PriorityWeightAge=7 # PriorityWeightAge=8", "weight_age", 7.0),
    ],
)
def test_options_that_are_parameters(line, parameter, value):
    assert stated(CONF + line + "\n")[1][parameter] == value


@pytest.mark.parametrize(
    ("lines", "cores", "gpus", "memory"),
    [
        ("NodeName=a CPUs=6 RealMemory=2000", [6], [0], [2000]),
        ("NodeName=a Sockets=2 CoresPerSocket=4 ThreadsPerCore=2", [16], [0], [1]),
        ("NodeName=a Boards=2 SocketsPerBoard=2 CoresPerSocket=4", [16], [0], [1]),
        ("NodeName=a", [1], [0], [1]),
        ("NodeName=DEFAULT CPUs=6 RealMemory=5\nNodeName=a,b\nNodeName=DEFAULT CPUs=7\nNodeName=c",
         [6, 6, 7], [0, 0, 0], [5, 5, 5]),
        ("NodeName=n10 CPUs=1\nNodeName=n[2,1] CPUs=2 Gres=gpu:4", [2, 2, 1], [4, 4, 0], [1, 1, 1]),
        ("NodeName=a Gres=gpu:a100:4(S:0-1),gpu:t4:2", [1], [6], [1]),
        ("NodeName=a Gres=gpu", [1], [1], [1]),
        ("NodeName=a CPUs=2\nNodeName=b CPUs=9 State=FUTURE", [2], [0], [1]),
    ],
)  # fmt: skip
def test_nodes(lines, cores, gpus, memory):
    cluster = site(lines + "\n")

    assert cluster.cores.tolist() == cores
    assert cluster.gpus.tolist() == gpus
    assert cluster.memory.tolist() == memory
    assert list(cluster.node_names) == sorted(cluster.node_names, key=lambda name: (len(name), name))


def test_unlike_nodes_are_processors():
    cluster, parameters = stated("NodeName=a CPUs=2\nNodeName=b CPUs=5\n")

    assert parameters == {"processors": 7}
    assert [part.name for part in cluster.partitions] == ["all"]
    assert cluster.assumed[-5] == "No partition: there is one of all nodes."


def test_threads_of_cores_are_named():
    with_threads = "NodeName=a CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2\n"

    assert any(sentence.startswith("CPUs are threads") for sentence in site(with_threads).assumed)
    assert not any("threads" in sentence for sentence in site(with_threads.replace("CPUs=16", "CPUs=8")).assumed)


SCONTROL_NODES = (
    "NodeName=n2 Arch=x86_64 CoresPerSocket=4\n   CPUAlloc=0 CPUTot=8 CPULoad=0.1\n   ActiveFeatures=big\n"
    "   Gres=gpu:2\n   NodeAddr=n2 NodeHostName=n2 Version=22.05\n   OS=Linux 5.10 #1 SMP x=y\n"
    "   RealMemory=900 AllocMem=0 Sockets=2 Boards=1\n   State=DOWN+DRAIN ThreadsPerCore=1 Weight=1\n"
    "   Reason=not responding CPUTot=99 [root@x]\n\n"
    "NodeName=n1 Arch=x86_64 CoresPerSocket=4\n   CPUTot=8 NodeHostName=n1 RealMemory=900 State=IDLE Gres=(null)\n"
)


def test_scontrol_show_node():
    cluster, parameters = read_site(
        {"config": b"Configuration data as of 2026\nKillWait = 7 sec\n", "n": SCONTROL_NODES.encode()}
    )

    assert cluster.node_names == ("n1", "n2")
    assert cluster.gpus.tolist() == [0, 2] and cluster.memory.tolist() == [900, 900]
    assert parameters == {"nodes": 2, "cores_per_node": 8, "kill_wait": 7.0}
    assert cluster.outages == ()
    assert cluster.ignored == ("Features of nodes of n2",)


def test_nodes_that_are_down_by_slurm_conf():
    text = CONF + 'NodeName=x State=DRAIN Reason="bad fan"\nDownNodes=n[2-3] State=DOWN Reason=old\n'
    down, drained = sorted(site(text).outages, key=lambda one: one.kind)

    assert (down.nodes, down.start, down.end, down.kind, down.reason) == ((1, 2), 0.0, np.inf, "down", "old")
    assert (drained.nodes, drained.kind, drained.reason) == ((4,), "drain", "bad fan")


def test_partitions():
    text = NODES + (
        "NodeName=g[1-2] Features=big,new Gres=gpu:2\nNodeSet=large Feature=big\nNodeSet=mixed Nodes=n1,g1\n"
        "PartitionName=DEFAULT MaxTime=1-0 OverSubscribe=EXCLUSIVE\n"
        "PartitionName=a Nodes=n[2-3] DefaultTime=10 Priority=5\n"
        "PartitionName=b Nodes=large,n4 MaxNodes=2 QOS=fast PriorityTier=3 OverSubscribe=NO\n"
        "PartitionName=c Nodes=mixed MaxTime=UNLIMITED Default=YES\n"
    )
    cluster = site(text)
    a, b, c = cluster.partitions
    names = np.array(cluster.node_names)

    assert [names[part.nodes].tolist() for part in (a, b, c)] == [["n2", "n3"], ["g1", "g2", "n4"], ["g1", "n1"]]
    assert (a.max_time, a.default_time, a.tier, a.job_factor, a.exclusive) == (86_400.0, 600.0, 5, 5.0, True)
    assert (b.max_nodes, b.qos, b.tier, b.job_factor, b.exclusive) == (2.0, "fast", 3, 1.0, False)
    assert (c.max_time, c.default_time, c.max_nodes, c.is_default) == (np.inf, np.inf, np.inf, True)


def test_without_a_default_partition_the_first_is_named():
    assert any("go to the first, batch" in one for one in site(CONF.replace(" Default=YES", "")).assumed)


@pytest.mark.parametrize(
    ("line", "ignored"),
    [
        ("PreemptMode=SUSPEND,GANG", "PreemptMode=SUSPEND,GANG"),
        ("TopologyPlugin=topology/tree", "TopologyPlugin=topology/tree"),
        ("PriorityUsageResetPeriod=WEEKLY", "PriorityUsageResetPeriod=WEEKLY"),
        ("PriorityWeightAssoc=5", "PriorityWeightAssoc=5"),
        ("JobSubmitPlugins=lua", "JobSubmitPlugins=lua"),
        ("SelectTypeParameters=CR_Core,CR_LLN", "SelectTypeParameters=CR_LLN"),
        ("SomethingNew=7", "SomethingNew=7"),
        ("NodeName=m[1-3] Weight=9", "Weight of nodes of m[1-3]"),
        ("NodeName=m1 Weight=9\nNodeName=m2 Weight=9", "Weight of nodes of m1 and 1 more"),
        ("NodeName=m1 Gres=nic:2", "Gres=nic of m1"),
        ("PartitionName=p Nodes=n1 LLN=YES", "LLN=YES of partition p"),
        ("PartitionName=p Nodes=n1 State=DOWN", "State=DOWN of partition p"),
        ("PartitionName=p Nodes=n1 OverSubscribe=FORCE:4", "OverSubscribe=FORCE of partition p"),
        ("PartitionName=p Nodes=n1 TRESBillingWeights=CPU=1", "TRESBillingWeights=CPU=1 of partition p"),
    ],
)
def test_what_the_model_has_not_is_named(line, ignored):
    assert site(f"{CONF}{line}\n").ignored == (ignored,)


@pytest.mark.parametrize(
    "line",
    ["SlurmctldPort=6817", "SlurmdLogFile=/var/log/x", "AuthType=auth/munge", "MpiDefault=pmix", "Prolog=/etc/p.sh",
     "AccountingStorageHost=db", "JobCompType=jobcomp/none", "SlurmctldTimeout=120", "PreemptMode=OFF",
     "PriorityUsageResetPeriod=NONE", "TopologyPlugin=topology/none", "PartitionName=p Nodes=n1 LLN=NO AllowGroups=x"],
)  # fmt: skip
def test_what_does_not_bear_on_scheduling_is_dropped(line):
    assert site(f"{CONF}{line}\n").ignored == ()


@pytest.mark.parametrize(
    ("lines", "tracks", "whole"),
    [("SelectType=select/linear", False, True),
     ("SelectType=select/linear\nSelectTypeParameters=CR_Memory", True, True),
     ("SelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory", True, False),
     ("SelectType=select/cons_res\nSelectTypeParameters=CR_CPU", False, False)],
)  # fmt: skip
def test_what_jobs_hold(lines, tracks, whole):
    cluster = site(f"{CONF}{lines}\n")

    assert (cluster.tracks_memory, cluster.whole_nodes, cluster.ignored) == (tracks, whole, ())


def test_included_files():
    conf = "ClusterName=lab\nInclude /etc/slurm/nodes.conf\ninclude parts*.conf\nInclude gone.conf\n"
    others = {"nodes.conf": NODES, "parts1.conf": "PartitionName=a Nodes=n1 Default=YES",
              "upload/parts2.conf": "MinJobAge=9\nPartitionName=b Nodes=n2"}  # fmt: skip
    cluster = site(conf, **others)

    assert [part.name for part in cluster.partitions] == ["a", "b"]
    assert cluster.assumed[0] == "The included file gone.conf is not there: what it says is not known."
    with pytest.raises(InvalidWorkload, match=r"names no node, and includes gone\.conf, parts\*\.conf: give that, too"):
        site(conf.replace("nodes.conf", "gone.conf"))
    with pytest.raises(InvalidWorkload, match=r"line 1: files include each other more than 8 deep"):
        site("Include b.conf\n" + CONF, **{"b.conf": "Include c.conf\n", "c.conf": "Include b.conf\n"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ClusterName=x\n", r"slurm\.conf names no node: add slurm\.conf with its NodeName lines"),
        ("ClusterName=x\nNodeName=DEFAULT CPUs=4\n", "names no node"),
        (CONF + "what is this\n", r"slurm\.conf, line 4: 'what is this' is no option of the form Name=value"),
        (CONF + "PriorityMaxAge=soon\n", r"line 4: PriorityMaxAge=soon, but it must be a time such as 90 \(minutes\)"),
        (CONF + "PriorityMaxAge=0\n", "above 0"),
        (CONF + "PriorityDecayHalfLife=UNLIMITED\n", "must be a time"),
        (CONF + "PriorityWeightAge=-1\n", "a number from 0 to 4,294,967,295"),
        (CONF + "PriorityFavorSmall=maybe\n", "must be YES or NO"),
        (CONF + "SchedulerType=sched/x\n", "one of sched/backfill, sched/builtin"),
        (CONF + "SelectType=select/x\n", "one of select/cons_tres, select/cons_res, select/linear"),
        (CONF + "PriorityType=x\n", "one of priority/multifactor, priority/basic"),
        (CONF + "SchedulerParameters=bf_window=x\n", "SchedulerParameters: bf_window=x, but it must be a number"),
        (CONF + "SchedulerParameters=bf_max_job_test=1.5\n", "a whole number from 1 to 1,000,000"),
        (CONF + "NodeName=n1\n", r"line 4: the node n1 is defined already, at line 2"),
        (CONF + "NodeName=m[1-\n", "a list of nodes such as"),
        (CONF + "NodeName=m[0-8:2]\n", "a list of nodes such as"),
        (CONF + "NodeName=m CPUs=0\n", "cpus=0, but it must be a whole number from 1 to 1,000,000"),
        (CONF + "NodeName=m Gres=gpu:a:b:\n", "a resource such as gpu:4"),
        (CONF + "NodeName=m State=SAD\n", "State=SAD, but it must be one of DOWN"),
        (CONF + "DownNodes=q\n", "DownNodes names the node q, which no NodeName line defines"),
        (CONF + "PartitionName=p Nodes=n9\n", "PartitionName=p names the node n9, which no NodeName line defines"),
        (CONF + "PartitionName=batch Nodes=n1\n", "the partition batch is defined already"),
        (CONF + "PartitionName=p Nodes=n1 MaxTime=x\n", "MaxTime=x|maxtime=x"),
        (CONF + "PartitionName=p Nodes=n1 Default=perhaps\n", "YES or NO"),
        (CONF + "PartitionName=p Nodes=n1 OverSubscribe=often\n", "one of NO, EXCLUSIVE, YES, FORCE"),
        (CONF + "NodeSet=s\n", "the node set s has neither Nodes nor Feature"),
        ("NodeName=n[1-9999] CPUs=200\n", "the nodes have 1,999,800 CPUs; 1,000,000 is the most here"),
        ("NodeName=n State=FUTURE\n", "names only nodes with State=FUTURE"),
        (CONF + "\0", r"slurm\.conf is no text|no file of a Slurm site"),
    ],
)
def test_refusals(text, says):
    with pytest.raises(InvalidWorkload, match=says):
        site(text)


def test_files_that_do_not_belong_together():
    with pytest.raises(InvalidWorkload, match=r"qos\.psv needs the slurm\.conf of the site"):
        read_site({"qos.psv": of_record("qos.psv")["qos.psv"]})
    with pytest.raises(InvalidWorkload, match=r"a\.conf and b\.conf are both files of `slurm\.conf`; give one"):
        read_site({"a.conf": CONF.encode(), "b.conf": CONF.encode()})
    with pytest.raises(InvalidWorkload, match=r"x is no file of a Slurm site; known are slurm\.conf, "):
        site(x="hello")


@pytest.mark.parametrize(
    "text",
    ["\n" * 65_000, " \n" * 30_000 + "x", "#\n" * 30_000 + "x", "Include a" + " " * 90_000 + "b",
     CONF + "a" + " " * 90_000 + "b", "Configuration data as of 2026\nKillWait = 7" + " " * 90_000 + "x"],
    ids=range(6),
)  # fmt: skip
def test_long_runs_of_blanks_take_no_time(text):
    begun = time.perf_counter()
    with pytest.raises(InvalidWorkload):
        read_site({"slurm.conf": text.encode()})
    assert time.perf_counter() - begun < 1.0
