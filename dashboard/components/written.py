"""A component as the JSON that a browser gets: written once, where many answers hold the same."""

from __future__ import annotations

import json
from typing import Any

from dash.development.base_component import Component
from plotly.utils import PlotlyJSONEncoder


def written(component: Component) -> dict[str, Any]:
    """Return the component as plain values, which may stand wherever a component does."""
    return json.loads(json.dumps(component, cls=PlotlyJSONEncoder))
