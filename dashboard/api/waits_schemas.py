"""What the routes of waits and of busy machines answer, as JSON schemas."""

from __future__ import annotations

from shadowtime.dashboard.api.schema_words import (
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
from shadowtime.dashboard.api.schemas import CSV, Operation
from shadowtime.dashboard.sharing import waits

PERCENT: Schema = many(many(maybe("integer")))
SCHEMAS: dict[str, Schema] = {
    "GroupWaits": thing(
        "jobs mean median p90 longest", jobs=WHOLE, mean=maybe("number"), median=maybe("number"), p90=maybe("number"),
        longest=maybe("number"),
    ),
    "Likeness": thing(
        "run name jobs recorded simulated rank_correlation median_difference", run=TEXT, name=TEXT, jobs=WHOLE,
        recorded=maybe("number"), simulated=maybe("number"), rank_correlation=maybe("number"),
        median_difference=maybe("number"),
    ),
    "Waits": thing(
        "runs by known recorded jobs compared likeness groups",
        runs=many(thing("id url name", id=TEXT, url=TEXT, name=TEXT)), by={"enum": [*waits.BY]},
        known=many({"enum": [*waits.BY]}), recorded=YES_NO, jobs=WHOLE,
        compared={"type": "integer", "description": "Jobs that have a wait in every column."},
        likeness=many(ref("Likeness")),
        groups=many(thing(
            "group jobs processor_seconds share waits", group=TEXT, jobs=WHOLE, processor_seconds=NUMBER, share=NUMBER,
            waits={"type": "object", "additionalProperties": ref("GroupWaits"),
                   "description": "By column: recorded, simulated; of several runs, by their ids."},
        )),
    ),
    "Outage": thing(
        "start end jobs users processors days", start=NUMBER, end=NUMBER, jobs=WHOLE, users=WHOLE, processors=WHOLE,
        days=many(NUMBER),
    ),
    "Busy": thing(
        "run of dated first rows hours groups stops", run=TEXT, of={"enum": [waits.SIMULATED, waits.RECORDED]},
        dated=YES_NO,
        first={"type": "integer", "description": "Number of the first day: since 1970-01-01 where `dated`."},
        rows={"type": "integer", "description": "Lanes or nodes that the rows of `groups` share out."},
        hours={"anyOf": [PERCENT, {"type": "null"}]}, groups={"anyOf": [PERCENT, {"type": "null"}]},
        stops=many(ref("Outage")),
    ),
}  # fmt: skip

ASKED = (
    asked("runs", "Ids of one to six finished runs on the same jobs, with commas between."),
    asked("by", "The way to group.", {"enum": [*waits.BY], "default": "size"}),
    asked("most", "Users, accounts or partitions that stand for themselves; 0: all.", WHOLE),
)
OPERATIONS: dict[str, Operation] = {
    "get /api/waits": Operation({200: json(ref("Waits"))}, (400, 404, 409), ASKED),
    "get /api/waits.csv": Operation({200: CSV}, (400, 404, 409), ASKED),
    "get /api/runs/<run_id>/busy": Operation(
        {200: json(ref("Busy"))},
        (400,),
        (asked("of", "Whose: this run's, or the record's.", {"enum": [waits.SIMULATED, waits.RECORDED]}),),
    ),
}
