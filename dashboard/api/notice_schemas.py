"""What the routes of notices are sent and answer, as JSON schemas."""

from __future__ import annotations

from shadowtime.dashboard.api.schema_words import TEXT, WHOLE, YES_NO, json, many, maybe, ref, sent, thing
from shadowtime.dashboard.api.schemas import Operation

SCHEMAS = {
    "Notice": thing(
        "code address state made tries error due", code=TEXT, address=TEXT,
        state={"enum": ["waiting", "sent", "failed"]}, made=TEXT, tries=WHOLE, error=TEXT, due=maybe("string"),
    ),
    "Notices": thing("notices webhooks mail", notices=many(ref("Notice")), webhooks=YES_NO, mail=YES_NO),
}  # fmt: skip
_LISTED = Operation({200: json(ref("Notices"))})
_ASKED = Operation(
    {200: json(ref("Notice")), 201: json(ref("Notice"))},
    (400, 409, 429),
    body=json(sent("address", address=TEXT)),
    writes=True,
)
OPERATIONS = {
    "get /api/runs/<run_id>/notices": _LISTED,
    "post /api/runs/<run_id>/notices": _ASKED,
    "get /api/sweeps/<sweep_id>/notices": _LISTED,
    "post /api/sweeps/<sweep_id>/notices": _ASKED,
    "delete /api/notices/<code>": Operation({204: {}}, writes=True),
}
