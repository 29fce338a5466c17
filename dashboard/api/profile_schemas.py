"""What the route of workloads beside each other answers, as JSON schemas."""

from __future__ import annotations

from shadowtime.dashboard.api.schema_words import NUMBER, TEXT, WHOLE, asked, json, many, ref, thing
from shadowtime.dashboard.api.schemas import Operation
from shadowtime.dashboard.sharing.profiles import OF

SCHEMAS = {
    "Profiles": thing(
        "of rule shares_of_quantiles workloads", of=TEXT, rule=TEXT, shares_of_quantiles=many(NUMBER),
        workloads=many(
            thing("id name jobs values shares quantiles", id=TEXT, name=TEXT, jobs=WHOLE, values=many(NUMBER),
                  shares=many(NUMBER), quantiles=many(NUMBER))
        ),
    ),
}  # fmt: skip
OPERATIONS = {
    "get /api/workloads/profiles": Operation(
        {200: json(ref("Profiles"))},
        (400, 404, 409),
        (
            asked("workloads", "Ids of one to six workloads, with commas between."),
            asked("of", "The quantity.", {"enum": [*OF]}),
        ),
    ),
}
