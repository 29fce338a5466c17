"""The logs of the Parallel Workloads Archive, read under the stated rules."""

from __future__ import annotations

import gzip

import pytest

from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.reading import read
from tests.reference import swf as twin

TRACES = [
    ("KTH-SP2-1996-2.1-cln.swf.gz", 27_992, 27_992, 100, "Europe/Stockholm"),
    ("CTC-SP2-1996-3.1-cln.swf.gz", 77_222, 77_205, 338, "US/Eastern"),
    ("HPC2N-2002-2.2-cln.swf.gz", 202_871, 202_871, 240, "Europe/Stockholm"),
    ("SDSC-BLUE-2000-4.2-cln.swf.gz", 243_306, 232_536, 1152, "US/Pacific"),
    ("NASA-iPSC-1993-3.1-cln.swf.gz", 18_239, 18_066, 128, "US/Pacific"),
]


@pytest.mark.parametrize(("file", "records", "kept", "processors", "zone"), TRACES)
def test_a_log_of_the_archive(traces, file, records, kept, processors, zone):
    with (traces / file).open("rb") as stream:
        workload = read(stream, file)

    assert len(workload) == kept
    assert workload.report[0] == f"{records:,} records, {kept:,} jobs kept."
    left_out = [f"{records - kept:,} without a size or a runtime were left out."] if records > kept else []
    assert list(workload.report[1:2]) == left_out or not left_out
    assert workload.machine == {"processors": processors}
    assert workload.clock and workload.clock.zone == zone
    assert workload.has_estimates == ("NASA" not in file)


def test_times_of_a_log_are_not_shifted(traces):
    with (traces / TRACES[0][0]).open("rb") as stream:
        assert read(stream, "KTH").jobs["release"][0] == 599_850


@pytest.mark.parametrize("file", [TRACES[0][0], TRACES[4][0]])
def test_the_slow_reader_agrees(traces, file):
    with (traces / file).open("rb") as stream:
        table = read(stream, file).jobs
    slow = twin.read(gzip.decompress((traces / file).read_bytes()))

    columns = [table[name].tolist() for name in ("job_id", "release", "runtime", "processors", "requested", "user")]
    assert [tuple(None if v != v else v for v in row) for row in zip(*columns, strict=True)] == slow


def test_the_published_preparation_of_hpc2n(traces):
    """Casanova et al., RR-7659, section 5.3, on the cleaned 2.2 log: 182 weeks, counted from the log's start."""
    with (traces / "HPC2N-2002-2.2-cln.swf.gz").open("rb") as stream:
        log = read(stream, "HPC2N")
    workload = convert(log, "fractional")
    jobs = workload.jobs

    assert workload.machine == {"nodes": 120, "node_memory": 2.0}
    assert "2,137 jobs without memory data: 0.1 of a node." in workload.report
    assert 0.570 < (jobs["cpu_need"] == 1.0).mean() < 0.5715
    assert round(float(jobs["processors"].mean()), 2) == 3.42
    assert round(float(jobs["memory"].mean()), 3) == 0.307
    assert len(set((jobs["release"] // 604_800).tolist())) == 182
