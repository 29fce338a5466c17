"""What the routes about the visitor and their sessions are sent and answer, as JSON schemas."""

from __future__ import annotations

from shadowtime.dashboard.api.schema_words import TEXT, YES_NO, json, many, maybe, ref, thing
from shadowtime.dashboard.api.schemas import Operation
from shadowtime.workers.people import SCOPES

SCOPE = {"enum": list(SCOPES)}
SCHEMAS = {
    "Me": thing(
        "name role access private scopes groups", name=TEXT, role={"enum": ["viewer", "editor"]}, private=YES_NO,
        access={"enum": ["open", "token", "proxy"]}, scopes=many(SCOPE), groups=many(TEXT),
    ),
    "Session": thing(
        "id created used expires agent scopes current", id=TEXT, created=TEXT, used=TEXT, expires=TEXT, agent=TEXT,
        scopes=many(SCOPE), current=YES_NO,
    ),
    "Token": thing(
        "id scopes groups created expires used", id=TEXT, scopes=many(SCOPE), groups=many(TEXT), created=TEXT,
        expires=maybe("string"), used=maybe("string"),
    ),
}  # fmt: skip
OPERATIONS = {
    "get /api/me": Operation({200: json(ref("Me"))}),
    "post /api/session": Operation(
        {200: json(ref("Session"))}, (400, 401, 403, 409, 413, 429, 507), body=json(thing("token", token=TEXT))
    ),
    "delete /api/session": Operation({204: {}}, (403,)),
    "get /api/sessions": Operation(
        {200: json(thing("sessions tokens", sessions=many(ref("Session")), tokens=many(ref("Token"))))}
    ),
    "delete /api/sessions": Operation({204: {}}, (403,)),
    "delete /api/sessions/<session_id>": Operation({204: {}}, (403,)),
}
