"""Moldable workloads: read, written, drawn, made of rigid jobs, repaired where they are not monotonic."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.errors import InvalidParameter, UnsupportedWorkload
from shadowtime.engine.families.moldable.family import FAMILY as MOLDABLE
from shadowtime.engine.families.moldable.speedup import downey, flat_from, recurrence
from shadowtime.engine.families.moldable.workload import FALLING, minimums, times
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Clock, Workload, job_table
from shadowtime.engine.workload.offered import offered_load
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.samples import find_sample
from shadowtime.engine.workload.writers import write_json
from tests.engine.golden import golden_files
from tests.engine.workload.test_instances import instance, refusal

TWO = {"schema": "golden-demt-1", "m": 3, "p": [[6, 4, 3], [2, 2]], "w": [1, 2.5]}


def work_falls(workload):
    """Which jobs need less work (processors x time) on more processors."""
    first, time = workload.parts["first"], workload.parts["time"]
    works = [time[a:b] * np.arange(1, b - a + 1) for a, b in pairwise(first.tolist())]
    return np.array([(work[1:] < work[:-1] * (1.0 - FALLING)).any() for work in works])


def test_times_weights_and_positions():
    workload = instance(TWO)

    assert workload.kind == "moldable" and workload.machine == {"processors": 3}
    assert times(workload, 3).tolist() == [[6, 4, 3], [2, 2, 2]]
    assert times(workload, 2, np.array([1])).tolist() == [[2, 2]]
    assert times(workload, 5)[0].tolist() == [6, 4, 3, 3, 3]
    names = ("job_id", "release", "runtime", "processors", "weight", "work")
    assert [workload.jobs[name].tolist() for name in names] == [[0, 1], [0, 0], [3, 2], [3, 1], [1, 2.5], [6, 2]]


def test_releases_order_the_jobs_and_their_times():
    workload = instance(TWO | {"r": [7, 0]})

    assert workload.jobs["job_id"].tolist() == [1, 0]
    assert times(workload, 1).tolist() == [[2], [6]]
    assert instance(TWO | {"ids": [5, 9]}).jobs["job_id"].tolist() == [5, 9]


def test_a_time_that_grows_is_repaired_and_work_that_falls_is_told():
    workload = instance(TWO | {"p": [[6, 7, 3], [4, 1]]})

    assert times(workload, 3).tolist() == [[6, 6, 3], [4, 1, 1]]
    assert work_falls(workload).tolist() == [True, True]
    assert workload.report[1] == "1 job took longer on more processors: the shortest time on fewer replaces it."
    assert workload.report[2].startswith("The work of 2 jobs falls with more processors")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"p": None}, "`p` must be a list of lists of times."),
        ({"p": [3]}, "`p` must be a list of lists of times."),
        ({"p": []}, "`p` is empty."),
        ({"p": [[1, 1, 1, 1], [2]]}, "job 0: p lists 4 times; it must list 1 to 3"),
        ({"p": [[1], []]}, "job 1: p lists 0 times; it must list 1 to 3"),
        ({"p": [[1, 0], [2]]}, "job 0: a time of p is 0; it must be a number above 0"),
        ({"p": [[1], ["x"]]}, "job 1: a time of p is 'x'; it must be a number above 0"),
        ({"m": 0}, "m is 0; it must be a whole number from 1"),
        ({"w": [1]}, "`w` must list 2 numbers, one a job."),
        ({"w": [1, -1]}, "job 1: w is -1; it must be a number from 0"),
        ({"p": [[1, None], [2]]}, "job 0: `null` after a time of p; it may only stand before the first."),
        ({"p": [[1], [None, None]]}, "job 1: p has no time."),
        ({"p": [[None, 0], [2]]}, "job 0: a time of p is 0; it must be a number above 0"),
        ({"p": [[None, "x"], [2]]}, "job 0: a time of p is 'x'; it must be a number above 0"),
        ({"r": [0, None]}, "job 1: r is None; it must be a number from 0"),
    ],
)
def test_refusals_name_the_job_and_the_rule(changes, sentence):
    assert sentence in refusal(TWO | changes)


def test_null_is_a_minimum_number_of_processors():
    workload = instance(TWO | {"p": [[None, 4, 3], [None, None, 5]]})

    assert minimums(workload).tolist() == [2, 3] and len(workload.report) == 1
    assert times(workload, 3).tolist() == [[np.inf, 4, 3], [np.inf, np.inf, 5]]
    assert workload.jobs["work"].tolist() == [8, 15] and workload.jobs["processors"].tolist() == [3, 3]
    again = written(workload)
    assert np.array_equal(again.parts["time"], workload.parts["time"])
    assert MOLDABLE.sizes(workload).tolist() == [2, 3]


def test_a_share_of_the_jobs_has_a_minimum_and_the_rest_stays_as_it_was():
    plain = generate("moldable", {"jobs": 2000, "processors": 64, "family": "high"}, 7)
    made = generate("moldable", {"jobs": 2000, "processors": 64, "family": "high", "minimum": 0.4}, 7)
    fewest = minimums(made)

    assert 0.35 < (fewest > 1).mean() < 0.45 and fewest.max() > 50 and 8 < np.median(fewest[fewest > 1]) < 16
    possible = np.isfinite(times(made, 64))
    assert np.array_equal(times(made, 64)[possible], times(plain, 64)[possible])
    assert np.array_equal(made.jobs["weight"], plain.jobs["weight"]) and len(made.report) == 1
    assert all(
        minimums(generate("moldable", {"jobs": 9, "processors": m, "minimum": 1.0}, 1)).max() <= m for m in (1, 2)
    )


def test_a_converted_job_keeps_a_share_of_its_size():
    four = find_sample("four").read()
    size = four.jobs["processors"]
    made = convert(four, "moldable", {"parallelism": 2.0, "minimum": 0.5})

    assert minimums(made).tolist() == np.ceil(size / 2).tolist()
    assert times(made, 10)[np.arange(4), size - 1] == pytest.approx(four.jobs["runtime"])
    assert made.report[-1].endswith("none runs below 0.5 x size.")
    rigid = convert(four, "moldable", {"law": "rigid"})
    assert minimums(rigid).tolist() == size.tolist() and rigid.report[-1].endswith("each runs on its size only.")
    assert (times(rigid, 10)[:, -1] == four.jobs["runtime"]).all()


@pytest.mark.parametrize("path", golden_files("golden-demt-1"), ids=lambda path: path.stem)
def test_golden_instances_are_read_and_monotonic(path):
    workload = read(BytesIO(path.read_bytes()), path.name)

    assert workload.jobs["job_id"].tolist() == list(range(len(workload)))
    assert not work_falls(workload).any() and len(workload.report) == 1


def written(workload):
    stream = BytesIO()
    write_json(workload, stream)
    return read(BytesIO(stream.getvalue()), "w.json")


@pytest.mark.parametrize("family", ["weak", "high", "mixed", "cirne"])
def test_a_family_is_monotonic_and_survives_writing(family):
    workload = generate("moldable", {"family": family, "jobs": 60, "processors": 32, "load": 0.7}, seed=5)
    again = written(workload)

    assert not work_falls(workload).any() and workload.report == ("60 jobs drawn.",)
    assert (np.diff(times(workload, 32), axis=1) <= 0).all()
    assert offered_load(workload.jobs, 32) == pytest.approx(0.7)
    assert all(np.array_equal(again.jobs[name], workload.jobs[name], equal_nan=True) for name in workload.jobs)
    assert all(np.array_equal(again.parts[name], workload.parts[name]) for name in workload.parts)
    assert workload.jobs["weight"].min() >= 1 and workload.jobs["weight"].max() <= 10


def test_families_are_as_parallel_as_their_names_say():
    """On 200 processors an independent draft has 75 (high) and 3.2 (weak); drawn per step 65 and 2.7."""
    mean = {}
    for degree in ("once", "per-step"):
        for family in ("weak", "high"):
            p = times(generate("moldable", {"family": family, "jobs": 4000, "degree": degree}, 1), 200)
            mean[family, degree] = (p[:, 0] / p[:, -1]).mean()

    assert mean["weak", "once"] == pytest.approx(3.2, rel=0.2)
    assert mean["high", "once"] == pytest.approx(75, rel=0.2)
    assert mean["weak", "per-step"] == pytest.approx(2.7, rel=0.03)
    assert mean["high", "per-step"] == pytest.approx(65, rel=0.03)


def test_a_family_may_be_too_large_or_out_of_order():
    with pytest.raises(InvalidParameter, match="moldable: 2,000,000 jobs on 200 processors have 400,000,000 times"):
        generate("moldable", {"jobs": 2_000_000})
    with pytest.raises(InvalidParameter, match="min_time = 10 is above max_time = 5"):
        generate("moldable", {"min_time": 10, "max_time": 5})


def test_ends_of_the_recurrence():
    p = recurrence(np.array([12.0, 12.0]), np.array([1.0, 0.0]), 4)

    assert p.tolist() == [[12, 6, 4, 3], [12, 12, 12, 12]]


@given(st.floats(1, 300), st.floats(0, 6))
def test_downeys_speed_up_is_monotonic(a, sigma):
    k = np.arange(1, 400)
    speed = downey(k, np.array(a), np.array(sigma))

    assert speed[0] == pytest.approx(1) and (np.diff(speed) >= -1e-9).all()
    assert (np.diff(speed / k) <= 1e-9).all()
    assert (speed[k >= flat_from(np.array(a), np.array(sigma))] == a).all()


def test_rigid_jobs_keep_their_point_on_the_curve():
    four = find_sample("four").read()
    made = convert(four, "moldable", {"parallelism": 2.0, "sigma": 0.5})

    assert made.kind == "moldable" and made.machine == {"processors": 10}
    p = times(made, 10)
    assert p[np.arange(4), four.jobs["processors"] - 1] == pytest.approx(four.jobs["runtime"])
    assert not work_falls(made).any() and not made.has_estimates
    assert made.jobs["release"].tolist() == [0, 1, 2, 3] and made.jobs["job_id"].tolist() == [1, 2, 3, 4]
    assert made.report[-1].endswith("A = 2 x size, sigma = 0.5.")
    assert (np.diff(p, axis=1) <= 0).all()


def test_a_job_wider_than_the_machine_keeps_its_work():
    wide = Workload(
        "rigid", "wide", job_table(np.zeros(2), np.full(2, 100.0), np.array([8, 2])), machine={"processors": 4}
    )
    made = convert(wide, "moldable", {"sigma": 0.0})
    p = times(made, 4)

    assert p[0].tolist() == [800.0, 400.0, 800.0 / 3, 200.0] and made.jobs["work"].tolist() == [800.0, 200.0]
    assert simulate(made, "gang").jobs["end"].max() >= (800 + 200) / 4
    again = convert(wide.with_(machine={"processors": 8}), "moldable", {"sigma": 0.0, "processors": 4})
    assert np.array_equal(times(again, 4), p)


@pytest.mark.parametrize("parameters", [{"law": "rigid"}, {"minimum": 1.0}])
def test_a_job_that_needs_more_processors_than_there_are_is_rejected(parameters):
    wide = Workload(
        "rigid", "wide", job_table(np.zeros(2), np.full(2, 100.0), np.array([8, 2])), machine={"processors": 4}
    )
    made = convert(wide, "moldable", parameters)

    assert MOLDABLE.too_wide(made, 4) == 1 and minimums(made).tolist() == [8, 2]
    for slug in ("gang", "demt"):
        assert np.isnan(simulate(made, slug).jobs["end"]).tolist() == [True, False], slug
    assert np.array_equal(written(made).parts["time"], made.parts["time"])
    with pytest.raises(InvalidParameter, match="processors = 4, but 1 job cannot run on so few"):
        convert(wide.with_(machine={"processors": 8}), "moldable", {**parameters, "processors": 4})


def test_a_law_that_almost_never_gives_a_sigma_is_refused():
    for mean, deviation in ((-1.0, 0.0), (-10.0, 1.0)):
        with pytest.raises(InvalidParameter, match="3 x deviation_sigma must be at least 0"):
            generate("moldable", {"family": "cirne", "mean_sigma": mean, "deviation_sigma": deviation})


def test_dates_and_users_survive_writing():
    log = generate("lublin", {"jobs": 20}).with_(clock=Clock(1e9, 3600.0, "Europe/Paris"))
    log.jobs["user"][:] = np.arange(20)
    made = convert(log, "moldable")
    again = written(made)

    assert again.clock == made.clock and np.array_equal(again.jobs["user"], made.jobs["user"])


def test_drawn_curves_differ_from_job_to_job_and_repeat_with_the_seed():
    log = generate("uniform", {"jobs": 50})
    one, two = (convert(log, "moldable", {"law": "drawn"}, seed=3) for _ in range(2))

    assert np.array_equal(one.parts["time"], two.parts["time"])
    assert not np.array_equal(one.parts["time"], convert(log, "moldable", {"law": "drawn"}, seed=4).parts["time"])
    assert not work_falls(one).any()


def test_what_cannot_be_made_moldable():
    four = find_sample("four").read()
    with pytest.raises(InvalidParameter, match="does not state how large its machine is"):
        convert(four.with_(machine={}), "moldable")
    with pytest.raises(UnsupportedWorkload, match="takes rigid workloads"):
        convert(convert(four, "moldable"), "moldable")
