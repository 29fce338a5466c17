"""What the routes of sweeps are sent and answer, as JSON schemas."""

from __future__ import annotations

from shadowtime.dashboard.api.schemas import (
    AFTER,
    ANY,
    CSV,
    LIMIT,
    NUMBER,
    SWITCH,
    TEXT,
    WHOLE,
    Operation,
    Schema,
    asked,
    json,
    listed,
    many,
    maybe,
    ref,
    sent,
    thing,
)  # fmt: skip
from shadowtime.workers.records.sweeps import SWEEP_STATES
from shadowtime.workers.sweeps.outcomes import STATES

PARQUET = {"application/vnd.apache.parquet": {"type": "string", "format": "binary"}}
PROGRESS = thing("fraction seconds_left", fraction=NUMBER, seconds_left=maybe("number"))
STANDING = thing(
    "id url name status runs_total points_total pending finished failed progress",
    id=TEXT,
    url=TEXT,
    name=TEXT,
    status={"enum": [*SWEEP_STATES]},
    accepted=TEXT,
    ended=maybe("string"),
    round=WHOLE,
    runs_total=WHOLE,
    points_total=WHOLE,
    pending=WHOLE,
    finished=WHOLE,
    failed=WHOLE,
    progress=PROGRESS,
    workloads=many(TEXT),
    algorithms=many(TEXT),
)
PLACE = thing("", workload=WHOLE, load=WHOLE, variant=WHOLE)
COMPARED = thing(
    "blocks n log_ratio low high ratio smaller larger equal p p_adjusted sign_p smallest_p rank_biserial better "
    "warnings", blocks=WHOLE, n=WHOLE, left_out=WHOLE,
    log_ratio=maybe("number"), low=maybe("number"), high=maybe("number"), ratio=maybe("number"),
    ratio_low=maybe("number"), ratio_high=maybe("number"), difference=maybe("number"),
    difference_low=maybe("number"), difference_high=maybe("number"), tested={"enum": ["ratios", "differences"]},
    smaller=WHOLE, larger=WHOLE, equal=WHOLE, p=NUMBER, p_adjusted=NUMBER, sign_p=NUMBER, sign_p_adjusted=NUMBER,
    smallest_p=NUMBER, rank_biserial=maybe("number"), rank_biserial_low=maybe("number"),
    rank_biserial_high=maybe("number"), better=maybe("string"), warnings=many(TEXT),
)  # fmt: skip
PRECISION = thing(
    "state reason metric width until_width blocks seeds next_seeds budget forecast",
    state={"enum": ["reached", "continue", "budget"]}, reason=TEXT, metric=TEXT, width=maybe("number"),
    until_width=NUMBER, blocks=WHOLE, seeds=WHOLE, next_seeds=WHOLE, budget=WHOLE, forecast=maybe("integer"),
)  # fmt: skip

SCHEMAS: dict[str, Schema] = {
    "SweepQuestion": sent(
        "workloads", name=TEXT, workloads=many(TEXT), seeds=many(WHOLE),
        convert=many(ref("ConversionQuestion")), loads=many(NUMBER), processors=WHOLE, nodes=WHOLE,
        cores_per_node=WHOLE, estimates=TEXT, tau=NUMBER,
        algorithms=many({"anyOf": [TEXT, sent("algorithm", algorithm=TEXT, parameters=ANY)]}),
        variants=many(sent("algorithm", algorithm=TEXT, parameters=ANY)), digests=ANY,
    ),
    "SweepAccepted": thing("id url runs_total", id=TEXT, url=TEXT, runs_total=WHOLE),
    "SweepPreview": thing(
        "id name status runs_total points_total seconds workers grid question toml", id=TEXT, name=TEXT,
        status=maybe("string"), runs_total=WHOLE, points_total=WHOLE, seconds=NUMBER, workers=WHOLE,
        grid=ref("SweepGrid"), question=ref("SweepQuestion"), toml=TEXT,
    ),
    "SweepGrid": thing(
        "workloads seeds loads variants", workloads=many(TEXT), seeds=many(WHOLE), loads=many(maybe("number")),
        variants=many(thing("name algorithm parameters", name=TEXT, algorithm=TEXT, parameters=ANY)),
    ),
    "Sweep": STANDING,
    "SweepInFull": {
        "allOf": [
            STANDING,
            thing(
                "reasons grid question metrics engine_version",
                reasons=many(thing("error runs first", error=TEXT, runs=WHOLE, first=many(WHOLE))),
                grid=ref("SweepGrid"), question=ref("SweepQuestion"), metrics=many(TEXT), engine_version=TEXT,
                points=many(ref("SweepPoint")),
            ),
        ]
    },
    "SweepPoint": thing(
        "workload load algorithm parameters name place n failed pending metrics warnings", workload=TEXT,
        load=maybe("number"), algorithm=TEXT, parameters=ANY, name=TEXT, place=PLACE, n=WHOLE, failed=WHOLE,
        pending=WHOLE, metrics={"type": "object", "additionalProperties": ref("SweepFigure")}, warnings=many(TEXT),
    ),
    "SweepFigure": thing(
        "blocks mean std min max low high interval", blocks=WHOLE,
        mean=maybe("number"), std=maybe("number"), min=maybe("number"),
        max=maybe("number"), low=maybe("number"), high=maybe("number"),
        interval={"enum": ["t", "log-t", "logit-t", "bootstrap", "batch means", None]},
        mean_of_ratios=maybe("number"), ratio_of_sums=maybe("number"),
    ),
    "SweepRun": thing(
        "index run url workload seed load algorithm status error parameters metrics bounds", index=WHOLE,
        run=maybe("string"), url=maybe("string"), workload=TEXT, seed=WHOLE, load=maybe("number"), algorithm=TEXT,
        status={"enum": [*STATES]}, error=maybe("string"), parameters=ANY, metrics=ref("Figures"),
        bounds=ref("Figures"),
    ),
    "Figures": {"type": "object", "additionalProperties": NUMBER},
    "SweepPairs": thing(
        "metric better_is a b level all points", metric=TEXT, better_is=TEXT, a=ANY, b=ANY, level=NUMBER, all=COMPARED,
        points=many(COMPARED),
    ),
    "SweepRanking": thing(
        "metric better_is blocks instances left_out friedman critical_difference groups ranking warnings", metric=TEXT,
        better_is=TEXT, workload=maybe("string"), load=maybe("number"), blocks=WHOLE, instances=WHOLE, left_out=WHOLE,
        friedman=maybe("number"), critical_difference=maybe("number"), groups=many(many(WHOLE)), warnings=many(TEXT),
        ranking=many(thing(
            "place variant name mean_rank mean against_first p_adjusted differs_from_first", place=WHOLE,
            variant=WHOLE, name=TEXT, mean_rank=maybe("number"), mean=maybe("number"),
            against_first={"anyOf": [COMPARED, {"type": "null"}]}, p_adjusted=maybe("number"),
            differs_from_first=maybe("boolean"))),
    ),
    "SweepPrecision": PRECISION,
    "SweepGoal": sent("metric", metric=TEXT, until_width=NUMBER, budget=WHOLE),
    "SweepExtended": thing(
        "id url runs_total precision", id=TEXT, url=TEXT, runs_total=WHOLE, precision=ref("SweepPrecision"),
    ),
}  # fmt: skip

QUESTION = {**json(ref("SweepQuestion")), "application/toml": TEXT}
METRICS = asked("metrics", "Metrics to return statistics of, with commas between; all by default.")
LEVEL = asked("level", "Confidence of the intervals.", {"type": "number", "default": 0.95})
METRIC = asked("metric", "The metric, as `/api/metrics` names it.")
GOAL = (
    asked(
        "until_width", "Largest width of the intervals of the ratios, as a share.", {"type": "number", "default": 0.05}
    ),
    asked("budget", "Largest number of seeds.", {"type": "integer", "default": 40}),
)
PLACES = {
    name: asked(name, f"Position of the {name} in the sweep's grid.", WHOLE) for name in ("workload", "load", "variant")
}

OPERATIONS: dict[str, Operation] = {
    "post /api/sweeps": Operation(
        {200: json(ref("SweepAccepted")), 202: json(ref("SweepAccepted"))},
        (400, 413, 429, 503),
        body=QUESTION,
        writes=True,
    ),
    "post /api/sweeps/preview": Operation({200: json(ref("SweepPreview"))}, (400, 413, 429, 503), body=QUESTION),
    "get /api/sweeps": Operation(
        listed("sweeps", ref("Sweep")),
        (400,),
        (
            asked("status", "One or several states, with commas between."),
            asked("q", "Words of the name, the workloads or the id."),
            LIMIT,
            AFTER,
        ),
    ),
    "get /api/sweeps/<sweep_id>": Operation(
        {200: json(ref("SweepInFull"))},
        (400,),
        (METRICS, LEVEL, asked("points", "0: without points.", SWITCH)),
    ),
    "get /api/sweeps/<sweep_id>/points": Operation(
        {200: json(thing("metrics level counts points", metrics=many(TEXT), level=NUMBER, counts=ANY,
                         points=many(ref("SweepPoint"))))},
        (400,),
        (METRICS, LEVEL),
    ),
    "get /api/sweeps/<sweep_id>/runs": Operation(
        {200: json(thing("runs total next", runs=many(ref("SweepRun")), total=WHOLE, next=maybe("string")))},
        (400,),
        (
            asked("status", "One of the states.", {"enum": [*STATES]}),
            *PLACES.values(),
            asked("limit", "Rows of a page.", {"type": "integer", "minimum": 1, "maximum": 1000, "default": 50}),
            AFTER,
        ),
    ),
    "get /api/sweeps/<sweep_id>/pairs": Operation(
        {200: json(ref("SweepPairs"))},
        (400,),
        (METRIC, asked("a", "A variant: its position or its name."), asked("b", "The other variant."), LEVEL),
    ),
    "get /api/sweeps/<sweep_id>/ranking": Operation(
        {200: json(ref("SweepRanking"))}, (400,), (METRIC, PLACES["workload"], PLACES["load"], LEVEL)
    ),
    "get /api/sweeps/<sweep_id>/precision": Operation(
        {200: json(ref("SweepPrecision"))}, (400,), (METRIC, *GOAL, LEVEL)
    ),
    "post /api/sweeps/<sweep_id>/extend": Operation(
        {code: json(ref("SweepExtended")) for code in (200, 202)}, (400, 409, 413, 429, 503),
        body=json(ref("SweepGoal")), writes=True,
    ),
    "get /api/sweeps/<sweep_id>.toml": Operation({200: {"application/toml": TEXT}}),
    "get /api/sweeps/<sweep_id>/runs.csv": Operation({200: CSV}),
    "get /api/sweeps/<sweep_id>/runs.parquet": Operation({200: PARQUET}),
    "get /api/sweeps/<sweep_id>/points.csv": Operation({200: CSV}),
    "get /api/sweeps/<sweep_id>/points.parquet": Operation({200: PARQUET}),
    **{
        f"post /api/sweeps/<sweep_id>/{act}": Operation({202: json(ref("Sweep"))}, (409, *more), writes=True)
        for act, more in (("pause", ()), ("resume", (429,)), ("cancel", ()), ("retry", (429,)))
    },
    "delete /api/sweeps/<sweep_id>": Operation({204: {}}, (409,), writes=True),
}  # fmt: skip
