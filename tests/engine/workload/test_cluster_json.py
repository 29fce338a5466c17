"""A cluster survives JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.slurm.cluster_json import cluster_of, document
from tests.engine.workload.slurm_sites import CONF, EVENTS, QOS, TREE, site


def test_a_cluster_comes_back():
    cluster = site(
        CONF + "AccountingStorageEnforce=limits\nNew=1\nPartitionName=parent Nodes=n1 MaxTime=5 QOS=unlimited\n",
        assoc=TREE.replace("|ann|parent|", "|parent|parent|7"),
        qos=QOS + "unlimited|9|2.5|cpu=10|11|||||cpu=16|17\n",
        events=EVENTS + "lab|n[2-3]|2026-11-22T12:00:00|Unknown|DRAIN|unlimited\n",
    )
    found = cluster_of(json.loads(json.dumps(document(cluster), allow_nan=False)))

    assert repr(found) == repr(cluster)
    assert np.isnan(found.associations[2].shares) and found.outages[0].end == np.inf
    assert [found.cores.dtype, found.memory.dtype, found.partitions[0].nodes.dtype] == ["i8", "f8", "i8"]


@pytest.mark.parametrize("broken", [{}, {"partitions": 3}, {"surprise": 1}, {"qos": [{"name": "x"}]}])
def test_other_documents_are_refused(broken):
    whole = document(site())
    with pytest.raises(InvalidWorkload, match="its cluster is not what was written of one"):
        cluster_of({**whole, **broken} if broken else {})
