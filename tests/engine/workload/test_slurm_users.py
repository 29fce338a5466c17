"""Associations, usage, QOS, events and reservations of a Slurm site."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.slurm.cluster import NONE, Limits, Outage
from shadowtime.engine.workload.slurm.site.files import read_site
from tests.engine.workload.slurm_sites import CONF, EVENTS, QOS, TREE, of_record, site

ENFORCED = CONF + "AccountingStorageEnforce=associations,limits,qos\n"
SHARES = {
    "u1": 8,
    "u2": 5,
    "u3": 2,
    "u4": 9,
    "u5": 6,
    "u6": 3,
    "u7": 10,
    "u8": 7,
    "u9": 4,
    "u10": 1,
    "u11": 8,
    "u12": 5,
}


@pytest.mark.parametrize("files", [("assoc.psv", "sshare.psv"), ("assoc.psv", "sshare_first.psv"), ("sshare.psv",)])
def test_the_tree_of_the_record(files):
    cluster, _ = read_site(of_record("slurm.conf", *files))
    tree = cluster.associations

    assert len(tree) == 18
    assert (tree[0].account, tree[0].user, tree[0].parent) == ("root", "", -1)
    assert {one.user: one.shares for one in tree if one.user not in ("", "root")} == SHARES
    by_account = {one.account: one for one in tree if not one.user}
    assert tree[by_account["chemlab"].parent].account == "chem"
    assert tree[by_account["physics"].parent].account == "root"
    assert {one.account: one.shares for one in by_account.values()} == {
        "root": 1, "biology": 10, "chem": 25, "chemlab": 3, "physics": 40,
    }  # fmt: skip
    assert all(tree[one.parent].account == one.account for one in tree if one.user and one.user != "root")
    usage = {f"{one.account}/{one.user}": one.usage for one in tree if one.usage}
    assert usage == {"root/": 5.0, "physics/": 5.0, "physics/u1": 5.0}


def test_only_the_first_of_many_snapshots_counts():
    cluster, _ = read_site(of_record("slurm.conf", "assoc.psv", "sshare.psv"))

    assert sum(one.usage for one in cluster.associations if one.user) == 5.0


def test_shares_of_a_tree():
    cluster = site(**{"assoc": TREE})

    assert [one.account + "/" + one.user for one in cluster.associations] == ["root/", "a/", "a/ann", "a/bob"]
    assert [one.parent for one in cluster.associations] == [-1, 0, 1, 1]
    assert np.isnan(cluster.associations[2].shares)
    assert [one.shares for one in cluster.associations if one.user != "ann"] == [1.0, 10.0, 3.0]
    assert "No usage (sshare): it is 0 at the start." in cluster.assumed


def test_users_without_a_line_in_sshare_are_counted():
    sshare = "Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare\nroot|||0|70|1|\n a||10|0|70|1|\n"
    cluster = site(assoc=TREE, sshare=sshare)

    assert [one.usage for one in cluster.associations] == [70.0, 70.0, 0.0, 0.0]
    assert "2 users without a line in sshare (ann ...): no usage at the start." in cluster.assumed


def test_one_of_several_clusters():
    other = TREE + TREE.partition("\n")[2].replace("lab|", "old|").replace("|3|", "|30|")

    assert [one.shares for one in site(assoc=other).associations][-1] == 3.0
    with pytest.raises(InvalidWorkload, match="it has the clusters lab, old, and ClusterName=new is none of them"):
        site(CONF.replace("ClusterName=lab", "ClusterName=new"), assoc=other)


def test_limits_of_associations_and_qos():
    tree = TREE.replace("lab|  a|bob|3||||||\n", "lab|  a|bob|3|5|cpu=64,gres/gpu=2|6|cpu=8,node=2|1-0|x\n")
    qos = QOS + "fast|9|2.5|cpu=10|11|cpu=12,node=13|20|cpu=14|15|cpu=16|17\nslow||||||||||\n"
    cluster = site(ENFORCED, assoc=tree, qos=qos)
    fast, slow = cluster.qos

    assert cluster.associations[3].limits == Limits(
        group_jobs=5.0, group_cores=64.0, user_jobs=6.0, job_cores=8.0, job_nodes=2.0, job_time=86_400.0
    )
    assert (fast.priority, fast.usage_factor) == (9.0, 2.5)
    assert fast.limits == Limits(
        group_cores=10.0, group_jobs=11.0, job_cores=12.0, job_nodes=13.0, job_time=1200.0, user_cores=14.0,
        user_jobs=15.0, account_cores=16.0, account_jobs=17.0,
    )  # fmt: skip
    assert (slow.priority, slow.usage_factor, slow.limits) == (0.0, 1.0, Limits())
    assert cluster.ignored == ("grptres=gres/gpu of user bob",)


def test_limits_that_the_controller_does_not_enforce():
    cluster = site(qos=QOS + "fast|9|||3||||||\n")

    assert cluster.qos[0].limits == Limits()
    assert "AccountingStorageEnforce does not name limits: those of associations and QOS are not enforced." in (
        cluster.assumed
    )


@pytest.mark.parametrize("name", ["MaxJobsAccruePA", "MaxJobsAccruePU"])
def test_limits_on_jobs_that_gain_age_are_not_those_on_jobs(name):
    cluster = site(ENFORCED, qos=f"Name|Priority|UsageFactor|MaxJobsPA|{name}\nnormal|0|1||7\n")

    assert cluster.qos[0].limits == Limits()
    assert cluster.ignored == (f"{name.lower()} of QOS normal",)


def test_options_of_qos_that_the_model_has_not_are_named():
    qos = "Name|Priority|UsageFactor|Preempt|PreemptMode|Flags|GraceTime|MaxSubmitPU\na|1|1||cluster||00:00:00|\n"
    found = site(qos=qos + "b|2|1|a|requeue|NoReserve|00:05:00|9\nc|2|1|a|cluster|DenyOnLimit|00:00:00|\n").ignored

    assert found == (
        "maxsubmitpu of QOS b", "flags of QOS b and 1 more", "preempt of QOS b and 1 more", "gracetime of QOS b",
        "preemptmode of QOS b",
    )  # fmt: skip


def test_events_are_outages():
    events = EVENTS + (
        "lab|n1|2026-11-22T12:00:00|2026-11-22T13:00:00|DOWN*|x\nlab|n[2-3]|2026-11-22T12:00:00|Unknown|DRAIN|y\n"
        "lab|n9|2026-11-22T12:00:00|Unknown|DOWN|y\nlab||2026-11-22T12:00:00|Unknown||Cluster processor count\n"
        "old|n1|2026-11-22T12:00:00|Unknown|DOWN|y\nlab|n4|2026-11-22T12:00:00|Unknown|MIXED|y\n"
        "lab|n4|2026-11-22T12:00:00|2026-11-22T12:00:01|DOWN+DRAIN|z\n"
    )
    cluster = site(events=events)
    noon = 1_795_348_800.0

    assert cluster.outages == (
        Outage((0,), noon, noon + 3600.0, "down", "x"),
        Outage((1, 2), noon, NONE, "drain", "y"),
        Outage((3,), noon, noon + 1.0, "down", "z"),
    )
    assert cluster.ignored == ("State=MIXED of node n4",)
    assert "Events of 1 node that slurm.conf does not name are left out; the first is n9." in cluster.assumed


def test_the_events_of_the_record():
    cluster, _ = read_site(of_record("slurm.conf", "events.psv"))

    assert [(one.nodes, one.kind, one.reason) for one in cluster.outages] == [
        ((6,), "down", "test"),
        ((7,), "down", "test"),
    ]
    assert all(one.start == one.end for one in cluster.outages)


RESERVATION = (
    "ReservationName=up StartTime=2026-11-22T12:00:00 EndTime=2026-11-22T13:00:00 Duration=01:00:00\n"
    "   Nodes=n[1-2] NodeCnt=2 CoreCnt=16 Features=(null) PartitionName=(null) Flags=MAINT,SPEC_NODES\n"
    "   TRES=cpu=16\n   Users=root Groups=(null) Accounts=(null) State=INACTIVE\n\n"
)


def test_reservations():
    of_users = RESERVATION.replace("=up ", "=course ").replace("MAINT,", "")
    everything = RESERVATION.replace("=up ", "=all ").replace("n[1-2]", "ALL")
    cluster = site(reservations=RESERVATION + of_users + everything)
    noon = 1_795_348_800.0

    assert cluster.outages == (
        Outage((0, 1), noon, noon + 3600.0, "maintenance", "up"),
        Outage((0, 1, 2, 3), noon, noon + 3600.0, "maintenance", "all"),
    )
    assert cluster.ignored == ("Reservation without MAINT of course",)
    one_line = RESERVATION.replace("\n   ", " ")
    assert site(reservations=one_line).outages == cluster.outages[:1]
    assert site(reservations="No reservations in the system\n").outages == ()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"assoc": TREE.replace("  a|ann", "   a|ann")}, r"assoc, line 4: the account a is not indented below another"),
        ({"assoc": TREE.replace("lab| a", "lab|a")}, "not indented below another, as in a tree with one root"),
        ({"assoc": TREE.replace("  a|bob", "  b|bob")}, "the user bob of b stands below a"),
        ({"assoc": TREE.replace("bob|3", "bob|x")}, "share=x, but it must be a number"),
        (
            {"assoc": TREE + "lab|x\n"},
            r"line 6: it has 2 columns, the header has 10; use `sacctm",
        ),
        ({"assoc": TREE + "lab| a||1||||||\n"}, "the account a is there already"),
        ({"qos": QOS + "a|x" + "|" * 9}, "Priority=x, but it must be a number from 0"),
        ({"qos": QOS + ("a|1" + "|" * 9 + "\n") * 2}, r"line 3: the QOS a is there already"),
        ({"qos": QOS + "a|1|1|cpu=x" + "|" * 7}, "grptres=x, but it must be a number"),
        ({"qos": QOS + "a|1|1||||soon||||"}, "MaxWall=soon, but it must be a time"),
        (
            {"sshare": "Account|User|RawShares|RawUsage\nroot||1|x\n"},
            "RawUsage=x, but it must be a number of proc",
        ),
        (
            {"events": EVENTS + "lab|n1|yesterday|Unknown|DOWN|x\n"},
            "TimeStart=yesterday, but it must be a time",
        ),
        ({"events": EVENTS + "lab|n1|2026-11-22T12:00:00|2026-11-21|DOWN|x\n"}, "it ends before it begins"),
        (
            {"reservations": RESERVATION.replace("n[1-2]", "n7")},
            "the reservation up names the node n7, which",
        ),
        ({"reservations": RESERVATION.replace("2026-11-22T13", "noon")}, "EndTime=noon:00:00, but it must be a time"),
        ({"reservations": RESERVATION + "x=1\n"}, r"line 6: 'x=1' is no line of `scontrol show`"),
    ],
)
def test_refusals(files, says):
    with pytest.raises(InvalidWorkload, match=says):
        site(ENFORCED, **files)
