"""What the routes of groups answer, as JSON schemas."""

from __future__ import annotations

from shadowtime.dashboard.api.schema_words import NUMBER, TEXT, WHOLE, asked, json, many, maybe, ref, thing
from shadowtime.dashboard.api.schemas import CSV, Operation
from shadowtime.dashboard.components.group_view import CLASSES, OF
from shadowtime.dashboard.sharing.groups import BY

SCHEMAS = {
    "Group": thing(
        "group jobs ended processor_seconds share mean_wait mean_flow mean_bounded_stretch", group=TEXT, jobs=WHOLE,
        ended=WHOLE, processor_seconds=NUMBER, share=NUMBER, mean_wait=maybe("number"), mean_flow=maybe("number"),
        mean_bounded_stretch=maybe("number"),
    ),
    "RunGroups": thing(
        "run by known tau groups names share edges use", run=TEXT, by=TEXT, known=many(TEXT), tau=NUMBER,
        groups=many(ref("Group")), names=many(TEXT), share=many(NUMBER), edges=many(NUMBER),
        use={"anyOf": [many(many(NUMBER)), {"type": "null"}]},
    ),
    "RunClasses": thing(
        "run by of classes", run=TEXT, by=TEXT, of=TEXT,
        classes=many(
            {"type": "object", "required": ["class", "jobs", "values", "shares"],
             "properties": {"class": TEXT, "jobs": WHOLE, "values": many(NUMBER), "shares": many(NUMBER)}}
        ),
    ),
}  # fmt: skip
_BY = asked("by", "The way to group; by default the first that the jobs have.", {"enum": [*BY]})
OPERATIONS = {
    "get /api/runs/<run_id>/groups": Operation(
        {200: json(ref("RunGroups"))},
        (400,),
        (
            _BY,
            asked("most", "Groups whose use over time stands for itself, from 1 to 100; by default 12.", WHOLE),
            asked("points", "Spans of the use over time, from 1 to 1,000; by default 120.", WHOLE),
        ),
    ),
    "get /api/runs/<run_id>/groups.csv": Operation({200: CSV}, (400,), (_BY,)),
    "get /api/runs/<run_id>/classes": Operation(
        {200: json(ref("RunClasses"))},
        (400,),
        (asked("by", "The classes.", {"enum": [*CLASSES]}), asked("of", "The value.", {"enum": [*OF]})),
    ),
}
