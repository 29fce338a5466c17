"""Accounts and users of a cluster as rows of a controller's memory."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.families.rigid.policies.slurm.state import GROUP
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.slurm.cluster import Association, Cluster

ROOT = Association("root")


class Accounts:
    """The tree of accounts and users, and the user and account of each job.

    Jobs of users that the tree does not have get a user of one share, in their account if the tree has that, else under
    the root. Without any associations, every user is one share under the root.
    """

    def __init__(self, workload: Workload, cluster: Cluster):
        self.tree = list(cluster.associations) or [ROOT]
        self.unknown: set[str] = set()
        self.user, self.person, self.account = self._of_jobs(workload, has_tree=bool(cluster.associations))

    def _of_jobs(self, workload: Workload, *, has_tree: bool) -> np.ndarray:
        """Return three rows of the tree for each job: its user's, the first one with that user's name in any account,
        and its account's; the tree gets the users that it lacks. 3 x n."""
        n, jobs = len(workload), workload.jobs
        users = jobs["user"].astype("i8")
        accounts = jobs["account"] if has_tree and "account" in jobs else np.full(n, -1)
        pairs, which = np.unique(np.stack([users, accounts]), axis=1, return_inverse=True)
        user_names, account_names = workload.texts.get("user", ()), workload.texts.get("account", ())
        places = {(one.account, one.user): at for at, one in enumerate(self.tree)}
        found, persons = np.zeros((3, pairs.shape[1]), "i8"), dict[str, int]()
        for x, (user, account) in enumerate(pairs.T.tolist()):
            name = user_names[user] if 0 <= user < len(user_names) else str(user)
            of = account_names[account] if 0 <= account < len(account_names) else ""
            above = places.get((of, ""), 0)
            if (of, name) not in places:
                if has_tree:
                    self.unknown.add(name)
                places[of, name] = len(self.tree)
                self.tree.append(Association(of, name, above))
            row = places[of, name]
            found[:, x] = row, persons.setdefault(name, row), above
        return found[:, which.reshape(-1)]

    def rows(self) -> np.ndarray:
        """Return the rows of GROUP, in the order of the tree."""
        rows = np.zeros(len(self.tree), GROUP)
        for at, one in enumerate(self.tree):
            row, limits = rows[at], one.limits
            row["parent"], row["is_user"] = one.parent, bool(one.user)
            row["shares"] = self._shares(at)
            row["usage"] = one.usage
            row["limit_cores"], row["limit_jobs"] = limits.group_cores, limits.group_jobs
            row["user_jobs"] = limits.user_jobs
        _, first = self.children()
        rows["first"], rows["children"] = first[:-1], np.diff(first)
        return rows

    def _shares(self, at: int) -> float:
        """Return the raw shares of an association; `parent` means those of its account."""
        one = self.tree[at]
        while np.isnan(one.shares) and one.parent >= 0:
            one = self.tree[one.parent]
        return 1.0 if np.isnan(one.shares) else one.shares

    def children(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows of all children by parent, and the place of the first child of each row."""
        parent = np.array([one.parent for one in self.tree], "i8")
        order = np.argsort(parent, kind="stable")[int((parent < 0).sum()) :]
        counts = np.bincount(parent[order], minlength=len(parent)) if len(order) else np.zeros(len(parent), "i8")
        return order.astype("i8"), np.concatenate([[0], np.cumsum(counts)]).astype("i8")
