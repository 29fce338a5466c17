"""A check of a store names what its bucket lacks, also where this machine has a copy."""

from __future__ import annotations

import io

from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store.integrity import faults
from tests.conftest import FOUR_SWF
from tests.workers.samples import FOUR_DIGEST


def test_what_the_bucket_lacks_is_a_fault_beside_a_copy(bucket, tmp_path):
    store = RecordStore(tmp_path, blobs=bucket)
    store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    [blob] = store.shelf.used()
    store.shelf.blobs.open(blob)  # here is a copy from now on
    assert list(faults(store)) == []

    store.shelf.blobs.client.delete(blob)

    assert list(map(str, faults(store))) == [f"workload {FOUR_DIGEST[:16]}: its file {blob[:16]} is not in the bucket"]
    store.database.close()
