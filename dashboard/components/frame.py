"""What stands around every page: the header, the notice of trouble, and the place of the page itself."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.components import states, tags, visitor
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.look import theme
from shadowtime.dashboard.sharing import urls

NAVIGATION = (
    ("runs", "Runs", urls.RUNS),
    ("compare", "Compare", urls.COMPARE),
    ("experiments", "Experiments", urls.EXPERIMENTS),
    ("papers", "Papers", urls.PAPERS),
    ("algorithms", "Algorithms", urls.ALGORITHMS),
    ("glossary", "Glossary", urls.GLOSSARY),
)
"""Pages in the header: name of the page as in `urls.place`, word, link."""


def frame() -> dmc.MantineProvider:
    """The whole document's body; pages are put into `page`."""
    return dmc.MantineProvider(
        [
            dcc.Location(id="url", refresh="callback-nav"),
            dcc.Store(id="title"),
            dcc.Store(id="page-name"),
            dcc.Store(id="kept-form"),
            dcc.Store(id="scheme"),
            dcc.Interval(id="health-tick", interval=1000 * states.ASK_AGAIN),
            html.A("Skip to content", href="#page", className="st-skip"),
            header(),
            html.Div(id="trouble", role="status", **attributes({"aria-live": "polite"})),
            html.Div(id="token-notice", **attributes({"aria-live": "polite"})),
            html.Div(id="link-notice", role="status"),
            html.Main(skeleton(), id="page", tabIndex=-1, className="st-page"),
            html.A("Open in Shadowtime", href=urls.NEW, target="_blank", className="st-embedlink"),
            html.Div(className="st-veil", id="drop-veil", **attributes({"aria-hidden": "true"})),
        ],
        theme=theme.mantine(),
        defaultColorScheme="auto",
    )


def skeleton() -> html.Div:
    """Stands for the first page while it is on its way; seen only when that takes long."""
    lines = [html.Div(className="st-bone st-bone-title"), *(html.Div(className="st-bone") for _ in range(6))]
    return html.Div(lines, className="st-column st-skeleton", **attributes({"aria-hidden": "true"}))


def header() -> html.Header:
    """The header, one line of 48 px."""
    return tags.header(
        "st-header",
        dcc.Link([html.Span(className="st-logo"), "Shadowtime"], href=urls.NEW, className="st-brand"),
        tags.nav(
            "st-nav",
            *(link(*entry) for entry in NAVIGATION),
            html.A("Docs", href=urls.DOCS, className="st-navlink"),
            **attributes({"aria-label": "Pages"}),
        ),
        menu(),
        html.Div(className="st-grow"),
        tags.div("st-workers", icon("cpu", 17), html.Span("", id="workers"), id="workers-box"),
        search(),
        visitor.chip(),
        dmc.ColorSchemeToggle(
            id="scheme-toggle",
            lightIcon=icon("moon", 18),
            darkIcon=icon("sun", 18),
            variant="subtle",
            className="st-iconbutton",
        ),
        dcc.Link([icon("plus"), "New run"], href=urls.NEW, id="new-run", className="st-button st-primary"),
    )


def link(page: str, word: str, address: str) -> dcc.Link:
    """An entry of the navigation; the style sheet marks the one of the page that is shown."""
    return dcc.Link(word, href=address, className=f"st-navlink st-nav-{page}")


def menu() -> dmc.Menu:
    """The navigation of a narrow window."""
    items = [
        dmc.MenuItem(dcc.Link(word, href=address, className="st-menulink"), className="st-menuitem")
        for _, word, address in NAVIGATION
    ]
    items.append(dmc.MenuItem(html.A("Docs", href=urls.DOCS, className="st-menulink"), className="st-menuitem"))
    return dmc.Menu(
        [
            dmc.MenuTarget(
                html.Button(
                    icon("menu-2", 18), className="st-iconbutton st-burger", **attributes({"aria-label": "Pages"})
                )
            ),
            dmc.MenuDropdown(items),
        ],
        position="bottom-start",
        classNames={"dropdown": "st-dropdown"},
    )


def search() -> html.Div:
    """Find a run by algorithm, workload or id; a job of the run that is shown by its number."""
    return html.Div(
        dmc.Select(
            id="search",
            placeholder="Find a run or a job",
            data=[],
            searchable=True,
            selectFirstOptionOnChange=True,
            clearable=False,
            leftSection=icon("search", 17),
            rightSection=html.Kbd("/"),
            rightSectionPointerEvents="none",
            nothingFoundMessage="No results",
            filter={"function": "fitting"},
            comboboxProps={"width": 380, "position": "bottom-end"},
            maxDropdownHeight=420,
            classNames={"input": "st-search-input", "dropdown": "st-dropdown"},
            attributes={"input": {"aria-label": "Find a run or a job"}},
        ),
        className="st-search",
    )
