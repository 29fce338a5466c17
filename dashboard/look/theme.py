"""How everything looks, as one table of tokens.

Out of it come the Mantine theme, the style sheet `tokens.css` (which the canvas reads by `getComputedStyle`) and the
template of the plotly figures. A figure holds tokens too (`var(--st-ink)`): the browser puts the colours in,
so that a figure is computed once and shown in both themes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

LIGHT, DARK = "light", "dark"

JOBS = ("77AADD", "99DDFF", "44BB99", "BBCC33", "AAAA00", "EEDD88", "EE8866", "FFAABB")
"""Paul Tol's light scheme: eight hues that colour-blind readers distinguish. A job's is its id modulo eight, hashed."""

DARK_JOB_SHARE = 0.82
"""In the dark, a job's hue is laid over the surface so thickly."""

COLOURS: dict[str, tuple[str, str]] = {
    # name: (light, dark)
    "bg": ("FAFAF8", "121416"),
    "surface": ("FFFFFF", "191C1F"),
    "sunken": ("F2F2EE", "0D0F10"),
    "line": ("E4E4DF", "2A2E32"),
    "line2": ("C9C9C2", "42474D"),
    "ctl": ("858B93", "6A7179"),
    "ink": ("17191C", "ECEDEE"),
    "ink2": ("474C53", "B7BCC3"),
    "ink3": ("676C74", "8E959E"),
    "accent": ("2456BF", "86ABF9"),
    "accent-strong": ("1C479F", "A3C0FB"),  # the primary button under the pointer
    "accent-soft": ("E9EFFB", "1D2942"),
    "on-accent": ("FFFFFF", "0E1726"),
    "fg": ("4F86C6", "5C93D3"),
    "bgt": ("C67F18", "D9982F"),
    "under": ("B4402F", "F08A78"),
    "good": ("1C7348", "6CC794"),
    "good-soft": ("E5F2EA", "14281D"),
    "warn": ("8A5A00", "E8B655"),
    "warn-soft": ("FCF1DC", "2C2210"),
    "bad": ("B3261E", "FF8A80"),
    "bad-soft": ("FBEAE8", "351B19"),
    "bar": ("676C74", "8E959E"),  # bars of histograms
    "dock": ("17191C", "ECEDEE"),  # what floats over the page, inverted
    "on-dock": ("FFFFFF", "121416"),
    "on-dock2": ("C9CDD2", "474C53"),
    "stretch-0": ("DEDFDA", "33383D"),
    "stretch-1": ("F0D58A", "6B5330"),
    "stretch-2": ("DE9330", "B4772A"),
    "stretch-3": ("BC4F1D", "F0A94A"),
    "stretch-4": ("6E1514", "FFE9B8"),
}

SIZES = {
    "header": "48px",
    "aside": "324px",
    "margin": "24px",
    "control": "30px",
    "compact": "26px",
    "row": "40px",
    "radius": "4px",
    "radius-card": "6px",
    "radius-float": "8px",
    "font": '"Inter", system-ui, "Segoe UI", Roboto, sans-serif',
    "mono": '"JetBrains Mono", ui-monospace, "DejaVu Sans Mono", monospace',
}


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green, blue of a hexadecimal colour, with or without `#`."""
    text = colour.removeprefix("#")
    return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)


def mix(over: str, under: str, share: float) -> str:
    """`over` laid upon `under`, covering `share` of it."""
    pairs = zip(rgb(over), rgb(under), strict=True)
    return "".join(f"{round(share * top + (1 - share) * below):02X}" for top, below in pairs)


def tokens(scheme: str) -> dict[str, str]:
    """Every colour of one scheme by name, as `#RRGGBB`, the hues of jobs (`job-0` ...) included."""
    index = 1 if scheme == DARK else 0
    colours = {name: f"#{pair[index]}" for name, pair in COLOURS.items()}
    share = DARK_JOB_SHARE if scheme == DARK else 1.0
    for number, hue in enumerate(JOBS):
        colours[f"job-{number}"] = f"#{mix(hue, colours['surface'], share)}"
    return colours


def css() -> str:
    """The text of `tokens.css`."""

    def block(selector: str, values: dict[str, str], *more: str) -> str:
        lines = [f"  --st-{name}: {value};" for name, value in values.items()]
        return "\n".join([f"{selector} {{", *[f"  {line}" for line in more], *lines, "}"])

    return "\n\n".join(
        [
            block(":root", {**SIZES, **tokens(LIGHT)}, "color-scheme: light;"),
            block(':root[data-mantine-color-scheme="dark"]', tokens(DARK), "color-scheme: dark;"),
            "",
        ]
    )


def mantine() -> dict[str, Any]:
    """The theme that `dmc.MantineProvider` takes."""
    light, dark = tokens(LIGHT), tokens(DARK)
    white, deep = light["surface"], dark["bg"]
    accent = [
        light["accent-soft"],
        *(f"#{mix(light['accent'], white, share)}" for share in (0.2, 0.35)),
        dark["accent-strong"],
        dark["accent"],
        *(f"#{mix(light['accent'], white, share)}" for share in (0.85,)),
        light["accent"],
        light["accent-strong"],
        *(f"#{mix(light['accent'], deep, share)}" for share in (0.5, 0.3)),
    ]
    return {
        "primaryColor": "accent",
        "primaryShade": {"light": 6, "dark": 4},
        "colors": {"accent": accent},
        "fontFamily": SIZES["font"],
        "fontFamilyMonospace": SIZES["mono"],
        "fontSizes": {"xs": "11px", "sm": "12px", "md": "13px", "lg": "14px", "xl": "20px"},
        "lineHeights": {"xs": "16px", "sm": "18px", "md": "20px", "lg": "20px", "xl": "28px"},
        "spacing": {"xs": "4px", "sm": "8px", "md": "12px", "lg": "16px", "xl": "24px"},
        "radius": {"xs": "2px", "sm": "4px", "md": "4px", "lg": "6px", "xl": "8px"},
        "defaultRadius": "sm",
        "cursorType": "pointer",
        "respectReducedMotion": True,
        "headings": {"fontWeight": "600"},
    }


@cache
def template() -> dict[str, Any]:
    """The plotly template as JSON values; its colours are tokens, put in by the browser."""
    import plotly.graph_objects as go

    text = {"family": SIZES["font"], "size": 11, "color": var("ink3")}
    axis = {
        "showgrid": False,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "tickfont": text,
        "automargin": False,
        "fixedrange": True,
        "linecolor": var("line2"),
        "gridcolor": var("line"),
        "tickcolor": var("line2"),
        "title": {"font": text, "standoff": 4},
    }
    made = go.layout.Template(
        layout={
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": text,
            "colorway": [var("bar"), var("accent"), var("bgt"), var("under")],
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
            "showlegend": False,
            "bargap": 0.12,
            "dragmode": False,
            "hovermode": "x",
            "hoverlabel": {
                "bgcolor": var("surface"),
                "bordercolor": var("line2"),
                "font": {**text, "size": 12, "color": var("ink")},
                "namelength": -1,
            },
            "xaxis": {**axis, "showline": True, "ticks": "outside", "ticklen": 4},
            "yaxis": {**axis, "showgrid": True},
            "annotationdefaults": {"font": {**text, "color": var("ink2")}, "showarrow": False},
            "shapedefaults": {"line": {"color": var("ink"), "width": 1}},
        },
        data={"bar": [{"marker": {"line": {"width": 0}}}]},
    )
    return dict(made.to_plotly_json())


def figure(margin: Mapping[str, float], **layout: Any) -> Any:
    """An empty plotly figure, without the template: `plain` puts it in, since plotly would check and copy it for
    each figure, which takes half of the time of a small one."""
    import plotly.graph_objects as go

    return go.Figure(layout={"template": {}, "margin": margin, **layout})


def plain(figure: Any) -> dict[str, Any]:
    """A figure of `figure` as JSON values, to be cached and sent."""
    made: dict[str, Any] = json.loads(figure.to_json())
    made["layout"]["template"] = template()
    return made


def var(token: str) -> str:
    """How a figure names a colour."""
    return f"var(--st-{token})"


def job_hue(job_id: int) -> int:
    """Which of the eight hues a job has, on every page: Knuth's multiplicative hash of its id, upper three bits."""
    return ((int(job_id) * 2654435761) & 0xFFFFFFFF) >> 29
