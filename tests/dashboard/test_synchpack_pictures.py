"""The pictures of the page on SynchPack show what the engine does."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest

from shadowtime.dashboard.papers import synchpack_pictures as pictures
from shadowtime.dashboard.papers.synchpack import PAGE
from shadowtime.engine.families.multitask.packing.rounding import copies
from shadowtime.engine.simulation import simulate
from shadowtime.engine.workload.reading import read
from shadowtime.workers.papers.kept import shipped


def run(case, kind, slug, parameters):
    document = {"schema": "golden-synchpack-1", "kind": kind, **case}
    segments = simulate(read(BytesIO(json.dumps(document).encode()), "case.json"), slug, parameters, seed=1).segments
    owners = [task["job"] for task in case["tasks"]]
    names = [f"{pictures.JOBS[job]}{owners[: at + 1].count(job)}" for at, job in enumerate(owners)]
    columns = (segments[name].tolist() for name in ("first", "start", "end", "task", "share"))
    return sorted(
        (lane, start, end, names[task], round(share, 9)) for lane, start, end, task, share in zip(*columns, strict=True)
    )


@pytest.mark.parametrize(
    ("pieces", "case", "kind", "slug", "parameters"),
    [
        (pictures.ORDERED, pictures.TOGETHER, "single_machine_preemptive", "synchpack-3", {"order": "lp3"}),
        (pictures.ORDERED, pictures.TOGETHER, "single_machine_preemptive", "synchpack-3", {"order": "primal-dual"}),
        (pictures.APART, pictures.TOGETHER, "single_machine_preemptive", "psrs", {}),
        (pictures.BARRIER, pictures.SPREAD, "multi_machine_nonpreemptive", "synchpack-2",
         {"shift": "barrier", "lambda": 0.6}),
        (pictures.SHIFTED, pictures.SPREAD, "multi_machine_nonpreemptive", "synchpack-2", {"lambda": 0.6}),
    ],
    ids=["ordered", "ordered by the primal-dual algorithm", "apart", "barrier", "shifted"],
)  # fmt: skip
def test_blocks_are_those_of_a_run(pieces, case, kind, slug, parameters):
    drawn = sorted((lane, start, end, task, round(high - low, 9)) for lane, start, end, task, low, high in pieces)

    assert drawn == run(case, kind, slug, parameters)


@pytest.mark.parametrize("pieces", [pictures.ORDERED, pictures.APART, pictures.BARRIER, pictures.SHIFTED], ids=range(4))
def test_blocks_do_not_overlap(pieces):
    for at, (lane, start, end, _, low, high) in enumerate(pieces):
        for other, begins, ends, _, bottom, top in pieces[:at]:
            assert lane != other or start >= ends or begins >= end or low >= top - 1e-9 or bottom >= high - 1e-9


def test_edges_are_those_of_the_copies():
    group = np.repeat([0, 1], 3)
    fractions = np.concatenate(list(pictures.FRACTIONS.values()))
    rows, copy, weight = copies(group, fractions)
    found = {(int(row) % 3, 3 + 2 * (int(row) // 3) + int(c)): w for row, c, w in zip(rows, copy, weight, strict=True)}

    assert found == pytest.approx({(task, node): value for task, node, value in pictures.EDGES})


@pytest.mark.parametrize("picture", pictures.ILLUSTRATIONS, ids=lambda picture: picture.key)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_block_and_edge_is_drawn(picture, theme):
    sketch = picture.draw()
    svg = sketch.svg(theme)

    labels = [block.label for block in sketch.blocks] if hasattr(sketch, "blocks") else [one[2] for one in sketch.nodes]
    assert all(f">{label}</text>" in svg for label in labels)


def test_every_figure_of_the_paper_leads_to_a_drawing_or_a_picture():
    (study,) = shipped("synchpack", "quick")["studies"]
    drawn = [one.key for one in PAGE.drawings([study])] + [one.key for one in PAGE.illustrations]

    assert len(study["counterparts"]) == 9
    for one in study["counterparts"]:
        assert one["figure"] == "Appendix A" or set(one["ours"]) <= set(drawn), one["figure"]
