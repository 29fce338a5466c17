"""What the routes are sent and answer, as JSON schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from shadowtime.dashboard.api.schema_words import (
    ANY,
    FIGURES,
    NUMBER,
    TEXT,
    TEXTS,
    WHOLE,
    YES_NO,
    Schema,
    asked,
    json,
    listed,
    many,
    maybe,
    ref,
    sent,
    thing,
)
from shadowtime.dashboard.sharing.exporting import FORMS, TABLES
from shadowtime.engine.simulation import ESTIMATES
from shadowtime.workers.store.base import PRIORITIES, SORTS, STATES

CODES = {
    200: "OK",
    201: "Stored.",
    202: "Accepted.",
    204: "Deleted.",
    304: "It has not changed.",
    400: "The request is wrong.",
    401: "Writing needs the token.",
    403: "A page of another site, or a viewer, may not write here.",
    404: "Not found.",
    409: "Its state does not allow that, or its records are damaged.",
    413: "The body is too large.",
    415: "The media type is not accepted.",
    429: "A limit is reached, or the server is busy: `Retry-After` says when to come back.",
    503: "A server that is needed does not answer.",
    507: "The disk of the store is full or read-only.",
}


@dataclass(frozen=True)
class Operation:
    """What is not in a route's docstring."""

    answers: Mapping[int, Mapping[str, Schema]] = field(default_factory=dict)
    """Content by media type, by status."""
    refusals: Sequence[int] = ()
    """Besides 404 for an unknown id, and 401, 403 and 507 of what writes."""
    query: Sequence[Schema] = ()
    body: Mapping[str, Schema] = field(default_factory=dict)
    body_is_optional: bool = False
    writes: bool = False


CSV = {"text/csv": TEXT}
HTML = {"text/html": TEXT}
EXPORTED = {
    media: ANY if media.endswith("json") else TEXT
    for media in (form.media.partition(";")[0] for form in FORMS.values())
}

CHANGED = json({"anyOf": [ref("Run"), thing("id url status", id=TEXT, url=TEXT, status=TEXT)]})
"""A run that was changed; less of it for a token that may not read."""
STATUS = thing(
    "id url status progress error",
    id=TEXT,
    url=TEXT,
    status={"enum": [*STATES]},
    attempt=WHOLE,
    damaged=YES_NO,
    accepted=TEXT,
    started=maybe("string"),
    ended=maybe("string"),
    progress=ref("Progress"),
    error=maybe("string"),
)

SCHEMAS: dict[str, Schema] = {
    "Refusal": thing("error", error={"type": "string", "description": "What is wrong, in one sentence."}),
    "Health": thing(
        "status redis workers store", status={"enum": ["ok", "degraded"]}, redis=YES_NO, workers=WHOLE, store=YES_NO
    ),
    "Progress": thing(
        "fraction jobs_done jobs segments seconds_left", fraction=NUMBER, jobs_done=WHOLE, jobs=WHOLE, segments=WHOLE,
        seconds_left=maybe("number"), planned=NUMBER,
        compiling={"type": "number", "description": "Seconds that compiling takes, only while code is compiled."},
    ),
    "Summary": thing(
        "run algorithm workload jobs metrics bounds timing engine_version", run=TEXT, algorithm=TEXT, workload=TEXT,
        jobs=WHOLE, metrics=FIGURES, bounds=FIGURES, bound_names=TEXTS, counters=ANY, timing=FIGURES,
        engine_version=TEXT,
        exact_bound=thing("status", status={"enum": ["queued", "finished", "failed"]}, error=TEXT),
    ),
    "Conversion": thing("name", name=TEXT, parameters=ANY),
    "ConversionQuestion": {"anyOf": [TEXT, sent("name", name=TEXT, parameters=ANY)]},
    "Platform": thing(processors=WHOLE, nodes=WHOLE, cores_per_node=WHOLE),
    "PlatformQuestion": sent(processors=WHOLE, nodes=WHOLE, cores_per_node=WHOLE),
    "Question": sent(
        "workload algorithm",
        workload={"type": "string", "description": "The id of a stored workload, with #case where it has cases."},
        algorithm=TEXT, conversions=many(ref("ConversionQuestion")), parameters=ANY, platform=ref("PlatformQuestion"),
        estimates={"enum": [*ESTIMATES]}, seed=WHOLE, priority={"enum": [*PRIORITIES]}, private=YES_NO, group=TEXT,
    ),
    "Questions": sent(
        "workload algorithms", workload=TEXT, conversions=many(ref("ConversionQuestion")),
        algorithms=many(thing("algorithm", algorithm=TEXT, parameters=ANY, estimates=ANY)),
        platform=ref("PlatformQuestion"), seed=WHOLE, priority={"enum": [*PRIORITIES]}, private=YES_NO, group=TEXT,
    ),
    "Spec": thing(
        "workload conversions platform estimates algorithm parameters seed engine_version", workload=ANY,
        conversions=many(ref("Conversion")), platform=ref("Platform"), estimates={"enum": [*ESTIMATES]},
        algorithm=TEXT, parameters=ANY, seed=WHOLE, engine_version=TEXT, salt=TEXT,
    ),
    "Accepted": thing("id url", id=TEXT, url=TEXT),
    "AllAccepted": thing("runs", runs=many(ref("Accepted"))),
    "Run": {
        "allOf": [STATUS, thing("summary algorithm", summary={"anyOf": [ref("Summary"), {"type": "null"}]},
                                algorithm=TEXT, seed=WHOLE, workload=ANY, private=YES_NO, group=maybe("string"),
                                title=TEXT, tags=many(TEXT), notes=TEXT, starred=YES_NO, experiment=TEXT)],
    },
    "RunMarks": sent(title=TEXT, tags=many(TEXT), notes=TEXT, starred=YES_NO),
    "RunInFull": {"allOf": [ref("Run"), thing("spec", spec=ref("Spec"), traceback=TEXT)]},
    "Workload": thing(
        "id kind jobs cases report", id=TEXT, digest=TEXT, name=TEXT, kind=TEXT, jobs=WHOLE, cases=many(TEXT),
        report=many(TEXT), machine=FIGURES, clock=maybe("object"), has_estimates=YES_NO, preview=ANY, size=WHOLE,
        added=TEXT, source=ANY, engine_version=TEXT,
    ),
    "Columns": thing("columns fields missing first", columns=many(TEXT), fields=ANY, missing=TEXT, first=many(ANY)),
    "Generated": sent("generator", generator=TEXT, parameters=ANY, seed=WHOLE),
    "PreviewQuestion": sent(
        workload=TEXT, generator=TEXT, parameters=ANY, seed=WHOLE, conversions=many(ref("ConversionQuestion")),
        platform=ref("PlatformQuestion"), estimates={"enum": [*ESTIMATES]},
        algorithms=many({"anyOf": [TEXT, thing("algorithm", algorithm=TEXT, parameters=ANY, estimates=ANY)]}),
        bounds=YES_NO, private=YES_NO, group=TEXT,
    ),
    "Preview": thing(
        "workload platform bounds algorithms runs", workload=ANY, conversions=many(ref("Conversion")),
        platform={"anyOf": [ref("Platform"), {"type": "null"}]}, platform_error=maybe("string"), bounds=FIGURES,
        most_in_use=maybe("integer"),
        bound_names=TEXTS, bounds_are_later=YES_NO,
        algorithms={"type": "object", "additionalProperties": thing(
            "accepted error conversions", accepted=YES_NO, error=maybe("string"), conversions=many(TEXT))},
        runs=many(thing("algorithm id status seconds error", algorithm=TEXT, id=maybe("string"),
                        url=maybe("string"), status=maybe("string"), seconds=maybe("number"),
                        error=maybe("string"))),
    ),
    "Compared": thing(
        "baseline align runs best pairs url", baseline=TEXT, align=maybe("string"), url=TEXT,
        best={"type": "object", "additionalProperties": many(TEXT)},
        runs=many(thing("id url name algorithm status jobs ended metrics bounds", id=TEXT, url=TEXT, name=TEXT,
                        algorithm=TEXT, status={"enum": [*STATES]}, jobs=WHOLE, ended=WHOLE, metrics=FIGURES,
                        bounds=FIGURES)),
        pairs=many(thing("run jobs", run=TEXT, jobs=WHOLE, left_out=WHOLE, sooner=WHOLE, same=WHOLE, later=WHOLE,
                         mean_difference=maybe("number"), median_difference=maybe("number"),
                         gained=many(ref("ComparedJob")), lost=many(ref("ComparedJob")), stretched_less=WHOLE,
                         stretched_more=WHOLE)),
    ),
    "ComparedJob": thing(
        "job_id processors release baseline run difference", job_id=WHOLE, processors=WHOLE, release=NUMBER,
        baseline=ref("JobTimes"), run=ref("JobTimes"), difference=NUMBER,
    ),
    "JobTimes": thing("start end stretch", start=maybe("number"), end=maybe("number"), stretch=maybe("number")),
    "Link": thing(
        "code url target title made runs", code=TEXT, url=TEXT, target=TEXT, title=TEXT, made=TEXT, private=YES_NO,
        damaged=YES_NO, runs=many(thing("id status title algorithm jobs metrics tables engine_version", id=TEXT,
                        status={"enum": [*STATES, "deleted"]}, title=TEXT, algorithm=TEXT, jobs=WHOLE, metrics=ANY,
                        tables=TEXTS, engine_version=TEXT)),
    ),
    "Rerun": thing(
        "code url runs", code=TEXT, url=maybe("string"),
        runs=many(thing("of title id status made_by engine_version same differs error", of=TEXT, title=TEXT, id=TEXT,
                        status=maybe("string"), made_by=TEXT, engine_version=TEXT, same=maybe("boolean"),
                        differs=many(TEXT), error=TEXT)),
    ),
    "Paper": thing(
        "name title url scale damaged", name=TEXT, title=TEXT, sentence=TEXT, url=TEXT, scale=TEXT, claims=FIGURES,
        made=maybe("string"), seconds=maybe("number"), engine_version=maybe("string"), shipped=maybe("boolean"),
        status=maybe("string"), error=maybe("string"), damaged=many(TEXT), expected_seconds=maybe("number"),
        progress=thing("done total seconds_left", done=WHOLE, total=WHOLE, seconds_left=maybe("number")),
    ),
    "PaperInFull": {"allOf": [ref("Paper"), thing("figures result", figures=many(TEXT), result=maybe("object"))]},
}  # fmt: skip

SWITCH: Schema = {"type": "integer", "enum": [0, 1]}
FILES: Schema = {"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1, "maxItems": 16}
"""One file, or a log with those of its Slurm site."""
SCALE: Schema = {"enum": ["quick", "full"], "default": "quick"}
SCALED = sent(scale=SCALE)
PAPER = (
    asked("scale", "Scale of the study.", SCALE),
    asked("result", "The one that came with the package; else the newest.", {"enum": ["shipped"]}),
)
AFTER = asked("after", "The `next` of the page before.")
LIMIT = asked("limit", "Rows of a page.", {"type": "integer", "minimum": 1, "maximum": 200, "default": 50})
FROM, TO = asked("from", "Where the window begins [s].", NUMBER), asked("to", "Where it ends [s].", NUMBER)

COMPARED = (
    asked("runs", "Ids of two to six runs on the same jobs, with commas between."),
    asked("baseline", "The run that the others are compared with; by default the first."),
    asked("of", "The run whose jobs are listed; by default the last."),
    asked("align", "`id`: jobs are the same when their ids are, for runs of different workloads.", {"enum": ["id"]}),
)

OPERATIONS: dict[str, Operation] = {
    "get /healthz": Operation({200: json(ref("Health")), 503: json(ref("Health"))}),
    "get /metrics": Operation({200: {"text/plain": TEXT}}),
    "get /api/openapi.json": Operation({200: json(ANY)}),
    "post /api/preview": Operation(
        {200: json(ref("Preview"))}, (400, 403, 404, 413, 429, 503), body=json(ref("PreviewQuestion"))
    ),
    "post /api/sites": Operation(
        {200: json(ANY)},
        (400, 404, 413, 429, 503),
        body=json(sent(machines=TEXT, experience=TEXT, text=TEXT, workload=TEXT, sample=TEXT)),
    ),
    "post /api/workloads": Operation(
        {200: json(ref("Workload")), 201: json(ref("Workload"))},
        (400, 409, 413, 415, 429, 503),
        body={
            "multipart/form-data": thing("file", file=FILES, case=TEXT, key=TEXT),
            **json(ref("Generated")),
        },
        writes=True,
    ),
    "post /api/workloads/columns": Operation(
        {200: json(ref("Columns"))},
        (400, 413, 415, 429, 503),
        body={"multipart/form-data": thing("file", file={"type": "string", "format": "binary"}, case=TEXT)},
        writes=True,
    ),
    "get /api/workloads": Operation(
        listed("workloads", ref("Workload"), damaged=many(TEXT)),
        (400,),
        (asked("q", "Words of its name or kind."), LIMIT, AFTER),
    ),
    "get /api/workloads/<workload_id>": Operation({200: json(ref("Workload"))}),
    "delete /api/workloads/<workload_id>": Operation({204: {}}, (409,), writes=True),
    "post /api/runs": Operation(
        {status: json({"anyOf": [ref("Accepted"), ref("AllAccepted")]}) for status in (200, 202)},
        (400, 404, 413, 429, 503),
        body=json({"anyOf": [ref("Question"), ref("Questions")]}),
        writes=True,
    ),
    "post /api/example": Operation(
        {status: json(thing("runs url", runs=many(ref("Accepted")), url=TEXT)) for status in (200, 202)},
        (429, 503),
        writes=True,
    ),
    "get /api/runs": Operation(
        listed("runs", ref("Run")),
        (400,),
        (
            asked("status", "One or several states, with commas between."),
            asked("algorithm", "Slug of an algorithm."),
            asked("workload", "Id of a stored workload."),
            asked("q", "Words of the workload's name, the algorithm, or the id."),
            asked("ids", "These runs alone, with commas between."),
            asked("sort", "Order of the list, greatest first.", {"enum": [*SORTS]}),
            asked("ascending", "1: smallest first.", WHOLE),
            LIMIT,
            AFTER,
        ),
    ),
    "get /api/runs/<run_id>": Operation({200: json(ref("RunInFull"))}),
    "patch /api/runs/<run_id>": Operation({200: CHANGED}, (400, 409), body=json(ref("RunMarks")), writes=True),
    "delete /api/runs/<run_id>": Operation({204: {}}, (409,), writes=True),
    "post /api/runs/<run_id>/cancel": Operation({202: CHANGED}, (409,), writes=True),
    "get /api/runs/<run_id>/export": Operation(
        {200: EXPORTED},
        (400, 409),
        (
            asked("format", "The format.", {"enum": [*FORMS]}),
            asked("table", "Of csv and parquet: which table.", {"enum": [*TABLES], "default": TABLES[0]}),
            asked("from", "Of perfetto: from this instant on [s].", NUMBER),
            asked("to", "Of perfetto: until this instant [s].", NUMBER),
        ),
    ),
    "get /api/runs/<run_id>/jobs.csv": Operation({200: CSV}, (409,)),
    "get /api/runs/<run_id>/segments.csv": Operation({200: CSV}, (409,)),
    "get /api/runs/<run_id>/events.csv": Operation({200: CSV}, (409,)),
    "get /api/runs/<run_id>/series.csv": Operation({200: CSV}, (409,)),
    "get /api/runs/<run_id>/summary.json": Operation({200: json(ref("Summary"))}, (409,)),
    "get /api/runs/<run_id>/report.html": Operation({200: HTML}, (400, 409), (FROM, TO)),
    "get /api/runs/<run_id>/spec.json": Operation({200: json(ref("Spec"))}),
    "get /api/compare": Operation({200: json(ref("Compared"))}, (400, 404, 409), COMPARED),
    "get /api/compare/jobs.csv": Operation({200: CSV}, (400, 404, 409), COMPARED),
    "get /api/compare/report.html": Operation({200: HTML}, (400, 404, 409), (*COMPARED, FROM, TO)),
    "post /api/links": Operation(
        {200: json(ref("Link")), 201: json(ref("Link"))},
        (400, 404),
        body=json(sent("target", target=TEXT, title=TEXT)),
        writes=True,
    ),
    "get /api/links": Operation({200: json(thing("links", links=many(ref("Link"))))}),
    "delete /api/links/<code>": Operation({204: {}}, writes=True),
    "get /api/links/<code>": Operation({200: json(ref("Link"))}),
    "get /api/links/<code>/rerun": Operation({200: json(ref("Rerun"))}),
    "post /api/links/<code>/rerun": Operation({202: json(ref("Rerun"))}, (429,), writes=True),
    "get /api/papers": Operation({200: json(thing("papers", papers=many(ref("Paper"))))}),
    "get /api/papers/<name>": Operation({200: json(ref("PaperInFull"))}, (400,), PAPER),
    "post /api/papers/<name>": Operation(
        {200: json(ref("Paper")), 202: json(ref("Paper"))}, (400,), body=json(SCALED), writes=True
    ),
    "post /api/papers/<name>/cancel": Operation(
        {202: json(ref("Paper"))}, (400, 409), body=json(SCALED), body_is_optional=True, writes=True
    ),
    "get /api/papers/<name>/figures.csv": Operation(
        {200: CSV}, (400,), (*PAPER, asked("figure", "Which of its figures; `figures` of the paper lists them."))
    ),
    "get /api/papers/<name>/files/<file>": Operation(
        {200: {"*/*": {"type": "string", "format": "binary"}}},
        (400,),
        (*PAPER, asked("theme", "Colours of an illustration.", {"enum": ["light", "dark"], "default": "light"})),
    ),
    "get /api/picture.png": Operation(
        {200: {"image/png": {"type": "string", "format": "binary"}}},
        (400, 404, 409),
        (
            asked("runs", "Ids of one to six finished runs, with commas between."),
            asked("from", "From this instant on [s]; with `to`.", NUMBER),
            asked("to", "Until this instant [s].", NUMBER),
            asked("nodes", "First and last lane: `0-9`."),
            asked("v", "The version of the addresses of views; another than 1 is the whole run."),
            asked("theme", "Its colours.", {"enum": ["light", "dark"], "default": "light"}),
        ),
    ),
    "get /api/live": Operation(
        {200: {"text/event-stream": TEXT}},
        (400, 429, 503),
        (
            asked("runs", "Ids of the runs to report, with commas between."),
            asked("last", "Id of the last message received, where the header Last-Event-ID cannot be sent."),
        ),
    ),
}
