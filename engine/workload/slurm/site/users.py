"""Associations, usage and QOS.

The tree of `sacctmgr -P show assoc tree` is that of its indentation; a user stands one blank deeper than the account.
`parent` as share (and 2147483647, its number) is that of the account above. Associations of a user with one partition
are those of the user, the first counts. `sshare` may have a column `time` with many snapshots: the first counts.
Without associations, the tree and the shares are those of `sshare`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from shadowtime.engine.workload.slurm.cluster import Association, Limits, Qos
from shadowtime.engine.workload.slurm.site.limits import limits_of
from shadowtime.engine.workload.slurm.site.text import NUMBER, Notes, Row, number_at, table_of
from shadowtime.engine.workload.words import count

TREE = "sacctmgr -P show assoc tree"
QOS = "sacctmgr -P show qos"
SSHARE = "sshare -a -l -P"
PARENT = ("parent", "2147483647")


def read_associations(file: str, content: bytes, cluster: str, notes: Notes) -> list[Association]:
    """Return the associations of the cluster of this name, or of the only one."""
    rows = list(table_of(file, content, ("account", "user"), TREE))
    if rows and not any(name in rows[0].values for name in ("share", "fairshare")):
        raise rows[0].place.refusal(f"the header has no column Share; use `{TREE}`")
    return list(_tree(_of_cluster(rows, cluster), ("share", "fairshare"), TREE, notes))


def _of_cluster(rows: list[Row], cluster: str) -> list[Row]:
    clusters = dict.fromkeys(row.get("cluster") for row in rows)
    if len(clusters) < 2:
        return rows
    if cluster not in clusters:
        named = f"ClusterName={cluster}" if cluster else "slurm.conf without ClusterName"
        raise rows[0].place.refusal(f"it has the clusters {', '.join(list(clusters)[:8])}, and {named} is none of them")
    return [row for row in rows if row.get("cluster") == cluster]


def _tree(rows: Iterable[Row], shares: tuple[str, ...], command: str, notes: Notes) -> Iterator[Association]:
    """Yield the associations of a tree that is indented in the column Account."""
    above: dict[int, tuple[int, str]] = {}
    known: set[tuple[str, str]] = set()
    position = 0
    for row in rows:
        account, user, depth = row.get("account"), row.get("user"), row.depth("account")
        if not account:
            raise row.place.refusal(f"it has no account; use `{command}`")
        if (depth == 0) != (position == 0) or (depth and depth - 1 not in above) or (position == 0 and user):
            raise row.place.refusal(
                f"the account {account} is not indented below another, as in a tree with one root; use `{command}`"
            )
        if user and above[depth - 1][1] != account:
            raise row.place.refusal(f"the user {user} of {account} stands below {above[depth - 1][1]}")
        if (account, user) in known:
            if not user:
                raise row.place.refusal(f"the account {account} is there already")
            notes.ignore("Associations with a partition", f"user {user}")
            continue
        known.add((account, user))
        owner = f"user {user}" if user else f"account {account}"
        if row.get("partition"):
            notes.ignore("Associations with a partition", owner)
        if row.get("priority") not in ("", "0"):
            notes.ignore("Priority", owner)
        if not user:
            above = {level: one for level, one in above.items() if level < depth} | {depth: (position, account)}
        yield Association(
            account=account,
            user=user,
            parent=above[depth - 1][0] if depth else -1,
            shares=_shares(row, shares),
            limits=limits_of(row, owner, "association", notes),
        )
        position += 1


def _shares(row: Row, columns: tuple[str, ...]) -> float:
    value = row.get(*columns)
    if value.lower() in PARENT:
        return np.nan
    return number_at(row.place, columns[0], value, 0, 2**31) if value else 1.0


def read_usage(file: str, content: bytes, known: list[Association], notes: Notes) -> list[Association]:
    """Return the associations with the usage of the first snapshot of `sshare`; without any, those of its tree."""
    rows = list(_first(table_of(file, content, ("account", "user", "rawusage"), SSHARE)))
    if not known:
        notes.assume("No associations: the tree and the shares are those of sshare, without limits.")
        known = list(_tree(rows, ("rawshares",), SSHARE, notes))
    usage = {(row.get("account"), row.get("user")): _usage(row) for row in rows}
    without = [one.user for one in known if one.user and (one.account, one.user) not in usage]
    if without:
        notes.assume(
            f"{count(len(without), 'user')} without a line in sshare ({without[0]} ...): no usage at the start."
        )
    return [replace(one, usage=usage.get((one.account, one.user), 0.0)) for one in known]


def _first(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of the first snapshot: those with its time."""
    instant = None
    for row in rows:
        time = row.values.get("time")
        instant = time if instant is None else instant
        if time != instant:
            return
        yield row


def _usage(row: Row) -> float:
    value = row.get("rawusage")
    if value and not NUMBER.fullmatch(value):
        raise row.place.wrong("RawUsage", value, "a number of processor seconds")
    return float(value or 0)


def read_qos(file: str, content: bytes, notes: Notes) -> list[Qos]:
    """Return the QOS of a site."""
    found: dict[str, Qos] = {}
    for row in table_of(file, content, ("name", "priority"), QOS):
        name = row.get("name")
        if not name or name in found:
            raise row.place.refusal(f"the QOS {name} is there already" if name else "it has no name")
        priority, factor = row.get("priority"), row.get("usagefactor")
        found[name] = Qos(
            name=name,
            priority=number_at(row.place, "Priority", priority, 0, 2**32) if priority else 0.0,
            usage_factor=number_at(row.place, "UsageFactor", factor, 0, 1e6) if factor else 1.0,
            limits=limits_of(row, f"QOS {name}", "QOS", notes),
        )
    return list(found.values())


def without_limits(
    associations: list[Association], qos: list[Qos], notes: Notes
) -> tuple[list[Association], list[Qos]]:
    """Return both without limits, for a controller that does not enforce them."""
    none = Limits()
    if any(one.limits != none for one in associations) or any(one.limits != none for one in qos):
        notes.assume("AccountingStorageEnforce does not name limits: those of associations and QOS are not enforced.")
    return [replace(one, limits=none) for one in associations], [replace(one, limits=none) for one in qos]
