"""What the routes of the viewer answer, as JSON schemas."""

from __future__ import annotations

from shadowtime.dashboard.api.schema_words import (
    ANY,
    FIGURES,
    NUMBER,
    TEXT,
    WHOLE,
    YES_NO,
    Schema,
    asked,
    json,
    many,
    maybe,
    ref,
    thing,
)
from shadowtime.dashboard.api.schemas import FROM, SWITCH, TO, Operation
from shadowtime.workers.store.base import STATES

COLUMNS = {"application/octet-stream": {"type": "string", "format": "binary"}}
ROWS_AFTER = asked("after", "While it runs: rows after so many.", {"type": "integer", "minimum": 0, "default": 0})
SMALL = asked("small", "1: refused with 413 when the run is large, of which a window is requested first.", SWITCH)
AT = asked("at", "The instant [s].", NUMBER)
CELLS = (
    FROM,
    TO,
    asked("nodes", "First and last lane, like `0-99`."),
    asked("columns", "Number of cells of time.", WHOLE),
    asked("rows", "At most so many rows of cells.", WHOLE),
    asked("by", "A ramp whose classes are averaged.", {"enum": ["size", "stretch", "wait"]}),
    asked("edges", "Where the steps of the ramp are, with commas between."),
    asked("find", "Jobs to be highlighted: `job 7`, `user 15`, `size 32-64`, `size > 64`."),
    asked("whole", "1: with the areas of the whole run.", SWITCH),
    asked("rectangles", "0: no rectangles, however few.", SWITCH),
)
FORMAT = asked("format", "The number of the encoding, for an address that can be kept for ever.")
JOB = asked("job", "Id of the job.", WHOLE)

ROW: Schema = {"type": "integer", "description": "Row of a job in the table of jobs."}
SERIES: Schema = many(maybe("number"))
SCHEMAS: dict[str, Schema] = {
    "View": thing(
        "id status attempt progress algorithm kind lanes capacity lane exclusive clock format tau t0 t1 frontier tiers "
        "counts family", id=TEXT, family=ANY, status={"enum": [*STATES]}, attempt=WHOLE, progress=ref("Progress"),
        algorithm=TEXT, kind=TEXT, lanes=WHOLE, capacity=NUMBER, lane=TEXT, idle=maybe("number"), exclusive=YES_NO,
        clock=maybe("object"), format=WHOLE,
        tau={"type": "number", "description": "Floor of the bounded stretch [s]: shorter runtimes count as this."},
        t0=NUMBER, t1=NUMBER, frontier=maybe("number"), tiers=WHOLE, counts=FIGURES, large=YES_NO, huge=YES_NO,
        users={**many(TEXT), "description": "Names by the number of a job's user, where the log has names."},
    ),
    "Instant": thing(
        "at held counts holders queue promise jobs before after", at=NUMBER,
        held={**many(NUMBER), "description": "Lanes in use in the foreground and in the background."},
        counts={**many(WHOLE), "description": "Jobs that run, and jobs that wait."},
        holders=many(thing(
            "row ranges tier until stalls", row=ROW, tier=WHOLE, until=NUMBER, stalls=YES_NO,
            ranges={**many(many(WHOLE)), "description": "First and last lane of each rectangle."},
        )),
        queue=many(ROW),
        promise={"anyOf": [thing("row size time", row=ROW, size=WHOLE, time=NUMBER), {"type": "null"}]},
        jobs=many(thing(
            "row job_id processors user release start", row=ROW, job_id=WHOLE, processors=WHOLE, user=WHOLE,
            release=maybe("number"), start=maybe("number"),
        )),
        before=maybe("number"), after=maybe("number"), useful=NUMBER, background=NUMBER, demand=NUMBER, queued=NUMBER,
        running=NUMBER,
    ),
    "Allotments": thing("job processors times", job=WHOLE, processors=many(WHOLE), times=many(NUMBER)),
    "Machines": thing(
        "machines classes clusters job_classes", machines=many(TEXT), classes=many(TEXT), job_classes=many(TEXT),
        clusters=many(thing("name machines", name=TEXT, machines=many(WHOLE))),
    ),
    "Priority": thing(
        "job submit start recorded_start factors time age fair_share job_size partition qos other nice priority before "
        "expected nodes held_by held_by_all", job=WHOLE, submit=NUMBER, start=NUMBER, recorded_start=maybe("number"),
        factors=many(TEXT), time=SERIES, age=SERIES, fair_share=SERIES, job_size=SERIES, partition=SERIES, qos=SERIES,
        other=SERIES, nice=SERIES, priority=SERIES, before=SERIES, expected=SERIES, nodes=many(TEXT),
        held_by=many(thing(
            "job since until at_submission", job=WHOLE, since=NUMBER, until=NUMBER, at_submission=YES_NO, user=TEXT,
            account=TEXT, partition=TEXT, qos=TEXT,
        )),
        held_by_all=WHOLE,
    ),
}  # fmt: skip
OPERATIONS: dict[str, Operation] = {
    "get /api/runs/<run_id>/view": Operation({200: json(ref("View"))}),
    "get /api/runs/<run_id>/allotments": Operation({200: json(ref("Allotments"))}, (400,), (JOB,)),
    "get /api/runs/<run_id>/priority": Operation({200: json(ref("Priority"))}, (400, 409), (JOB,)),
    "get /api/runs/<run_id>/site": Operation({200: json(ref("Machines"))}),
    "get /api/runs/<run_id>/jobs": Operation({200: COLUMNS}, (400, 413), query=(FORMAT, SMALL)),
    "get /api/runs/<run_id>/segments": Operation({200: COLUMNS}, (400, 413), (ROWS_AFTER, FORMAT, SMALL)),
    "get /api/runs/<run_id>/events": Operation({200: COLUMNS}, (400, 413), (ROWS_AFTER, FORMAT, SMALL)),
    "get /api/runs/<run_id>/window": Operation({200: COLUMNS}, (400,), CELLS),
    "get /api/runs/<run_id>/instant": Operation({200: json(ref("Instant"))}, (400,), (AT,)),
    "get /api/runs/<run_id>/point": Operation(
        {200: COLUMNS},
        (400,),
        (AT, asked("lane", "The lane.", WHOLE), asked("tier", "0 or 1.", WHOLE), asked("near", "Seconds off.", NUMBER)),
    ),
    "get /api/runs/<run_id>/life": Operation({200: COLUMNS}, (400,), (JOB,)),
    "get /api/runs/<run_id>/rates": Operation({200: COLUMNS}, query=(FORMAT,)),
    "get /api/runs/<run_id>/bands": Operation({200: COLUMNS}, query=(FORMAT,)),
    "get /api/runs/<run_id>/series": Operation({200: COLUMNS}, query=(FORMAT,)),
}
