"""The Lublin-Feitelson generator against statistics of the authors' own program, five seeds a setting."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.rigid.generators import lublin
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.offered import offered_load

SETTINGS = {s["setting"]: s for s in json.loads(Path(__file__).with_name("lublin99.json").read_text())["settings"]}
STREAMS = {"batch": lublin.BATCH, "interactive": lublin.INTERACTIVE, "typeless": lublin.TYPELESS}
SEEDS = (0, 1, 2)


def stream_of(setting: str) -> lublin.Stream:
    return next(stream for word, stream in STREAMS.items() if word in setting)


def draw(setting: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sizes, runtimes and gaps. The program loses the fraction of each gap; so the gaps of a stream are floored."""
    n, processors = SETTINGS[setting]["jobs"], SETTINGS[setting]["processors"]
    if setting == "typed128_all":
        jobs = generate("lublin", {"jobs": n}, seed).jobs
        return jobs["processors"], jobs["runtime"], np.diff(jobs["release"])
    rng, stream = np.random.default_rng(seed), stream_of(setting)
    size = lublin.sizes(stream, n, processors, rng)
    return size, lublin.runtimes(stream, size, rng), np.floor(np.diff(lublin.arrival_times(stream, n, rng)))


@cache
def measured(setting: str) -> dict[str, float]:
    """Statistics under the names of the reference, each the mean over the seeds."""
    return {name: float(np.mean(values)) for name, values in _over_seeds(setting).items()}


def _over_seeds(setting: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for seed in SEEDS:
        size, runtime, gap = draw(setting, seed)
        wide = size[size > 1]
        values = {
            "size_procs.mean": size.mean(),
            "size_procs.mean_log2": np.log2(size).mean(),
            "size_procs.serial_share": (size == 1).mean(),
            "size_procs.pow2_share_of_parallel": (np.log2(wide) % 1 == 0).mean(),
            "correlation.pearson_log2size_lnruntime": np.corrcoef(np.log2(size), np.log(runtime))[0, 1],
        }
        for name, column in (("size_procs", size), ("runtime_s", runtime), ("interarrival_s", gap)):
            logs = np.log(column[column > 0])
            values |= {f"{name}.mean": column.mean(), f"{name}.std": column.std()}
            values |= {f"{name}.mean_ln_of_positive": logs.mean(), f"{name}.std_ln_of_positive": logs.std()}
            values |= {f"{name}.q{q}": np.quantile(column, q / 100) for q in (25, 50, 75, 90)}
        for name, value in values.items():
            found.setdefault(name, []).append(float(value))
    return found


@pytest.mark.parametrize("setting", SETTINGS)
def test_statistics_lie_within_the_spread_of_the_programs_seeds(setting):
    """Widened by its own width on either side, by 2 % (gaps have heavy tails), and by a step of whole quantiles."""
    outside = []
    for name, (low, high) in SETTINGS[setting]["spread"].items():
        slack = max(high - low, 0.02 * abs(high), 1.0 if ".q" in name else 0.0)
        slack *= 2.0 if name == "interarrival_s.std" else 1.0
        if not low - slack <= measured(setting)[name] <= high + slack:
            outside.append((name, low, measured(setting)[name], high))

    assert not outside


@pytest.mark.parametrize("setting", [name for name, s in SETTINGS.items() if s["weights"]])
def test_weights_of_the_half_hours(setting):
    assert np.allclose(lublin.day_weights(stream_of(setting)), SETTINGS[setting]["weights"], atol=1e-4)


@pytest.mark.parametrize("setting", ["typeless128", "typed128_all"])
def test_offered_load_of_the_model(setting):
    classes = "two" if "typed" in setting else "typeless"
    loads = [offered_load(lublin_jobs(jobs=100_000, classes=classes, seed=seed).jobs, 128) for seed in SEEDS]
    low, high = SETTINGS[setting]["offered_load"]

    assert low - 0.03 <= np.mean(loads) <= high + 0.03


def lublin_jobs(seed: int = 0, **parameters) -> Workload:
    return generate("lublin", parameters, seed)


def test_the_same_seed_gives_the_same_jobs_and_another_seed_others():
    one, again, other = (lublin_jobs(seed=seed).jobs for seed in (5, 5, 6))

    assert all(np.array_equal(one[name], again[name], equal_nan=True) for name in one)
    assert not np.array_equal(one["release"], other["release"])


def test_its_own_seed_goes_before_that_of_the_run():
    assert lublin_jobs(seed=9, **{"jobs": 50}).source["seed"] == 9
    assert generate("lublin", {"jobs": 50, "seed": "4"}, 9).source == lublin_jobs(seed=4, jobs=50).source


def test_a_wanted_load_is_offered():
    workload = lublin_jobs(jobs=2000, load=0.85)

    assert offered_load(workload.jobs, 128) == pytest.approx(0.85, rel=1e-3)
    assert workload.jobs["runtime"].tolist() == lublin_jobs(jobs=2000).jobs["runtime"].tolist()


@pytest.mark.parametrize("processors", [1, 2, 3, 100, 128, 1000, 4096])
@pytest.mark.parametrize("classes", ["two", "typeless"])
def test_jobs_fit_any_machine(processors, classes):
    workload = lublin_jobs(jobs=3000, processors=processors, classes=classes)
    jobs = workload.jobs

    assert jobs["processors"].min() >= 1 and jobs["processors"].max() <= processors
    assert jobs["runtime"].min() >= 1 and jobs["runtime"].max() <= 162_754
    assert (np.diff(jobs["release"]) >= 0).all() and jobs["release"][0] >= 0
    assert all((jobs[name] == np.floor(jobs[name])).all() for name in ("release", "runtime"))


def test_cut_sizes_are_told():
    """On 100 processors log2 of a size reaches 6.64, which rounds to 7: 128 processors."""
    report = lublin_jobs(jobs=20_000, processors=100).report

    assert report[1].endswith("sizes above 100 processors were cut to 100.")


def test_jobs_come_by_day():
    hour = lublin_jobs(jobs=50_000).jobs["release"] % 86_400 // 3600
    counts = np.bincount(hour.astype(int), minlength=24)

    assert 11 <= counts.argmax() <= 15 and 2 <= counts.argmin() <= 6


def test_one_job_has_no_load():
    assert len(lublin_jobs(jobs=1)) == 1
    with pytest.raises(InvalidParameter, match="all jobs are submitted at one instant"):
        lublin_jobs(jobs=1, load=0.5)


def test_its_name_is_what_one_would_type():
    assert lublin_jobs().name == "lublin"
    assert lublin_jobs(jobs="500", load="0.80").name == "lublin:jobs=500,load=0.8"
    assert lublin_jobs(jobs=500).source == {
        "generator": "lublin",
        "parameters": {"classes": "two", "jobs": 500, "load": 0.0, "processors": 128},
        "seed": 0,
    }
