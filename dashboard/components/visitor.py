"""The visitor's name in the header; and the note for viewers in the place of what they may not do.

What a viewer may not do is hidden by the style sheet (`assets/roles.css`), by the role that stands at the root of the
document: so no page and no browser code handles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.visitors import Visitor
from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.people import group_of
from shadowtime.workers.store import Run

READS = "You have read access only."


def chip() -> Any:
    """The visitor's name or role, with what belongs to them; nothing where visitors are not identified."""
    visitor, access = visitors.here(), visitors.access()
    if access == "open" and not visitor.name:
        return html.Div(id="visitor")
    word = visitor.name or visitor.role.capitalize()
    if not visitor.is_editor and visitor.name:
        word = f"{word}, viewer"
    button = tags.button(
        "st-button st-plain st-visitor",
        icon("user" if visitor.name else "key"),
        html.Span(word, id="visitor-word"),
        title=f"{visitor.role.capitalize()}: {'may write' if visitor.is_editor else 'may read'}",
    )
    pages = (("Links", urls.LINKS), ("Sessions", urls.SESSIONS))
    items = [
        dmc.MenuItem(dcc.Link(name, href=address, className="st-menulink"), className="st-menuitem")
        for name, address in pages
    ]
    if visitors.can_sign_in() and not visitor.session:
        items.append(html.A("Sign in", href=urls.SIGN_IN, className="st-menulink st-menuitem", role="menuitem"))
    if access == "token":
        items += [
            _item("Enter a token …", "token-give", "st-forviewers"),
            _item("Sign out", "token-forget", "" if visitor.session else "st-writes"),
        ]
    menu = dmc.Menu(
        [dmc.MenuTarget(button), dmc.MenuDropdown(items)],
        position="bottom-end",
        classNames={"dropdown": "st-dropdown"},
    )
    return html.Div(menu, id="visitor")


def _item(text: str, name: str, className: str) -> dmc.MenuItem:
    return dmc.MenuItem(html.Span(text, className="st-menulink"), id=name, className=f"st-menuitem {className}")


def note(what: str) -> html.Div:
    """What a viewer sees in the place of a button that does `what`."""
    how: list[Any] = [f" To {what}, sign in through the proxy as a user in SHADOWTIME_EDITORS."]
    if visitors.can_sign_in():
        how = [f" To {what}, ", html.A("sign in", href=urls.SIGN_IN, className="st-link"), "."]
    elif visitors.access() == "token":
        word = "enter another token" if visitors.here().credential else "enter a token"
        give = html.Button(word, className="st-link", **attributes({"data-token": "ask"}))
        how = [f" To {what}, ", give, "."]
    return html.Div(tags.p("", READS, *how), className="st-forviewers st-note st-viewernote")


def lock(text: str = "Private", title: str = "") -> html.Span:
    """The mark of a private run."""
    return tags.span("st-private", icon("lock", 14), html.Span(text), title=title or TITLES[text])


TITLES = {
    "Private": "Visible to its owner and to people who have a link",
    "Private, by link": "Another user's run; a link lets you read it",
}


def owns(run: Run, visitor: Visitor | None = None) -> bool:
    """Return whether the visitor may change a run: a public one, or their own."""
    return not run.is_private or run.status.owner in (visitor or visitors.here()).owners


def traceback(run: Run) -> str:
    """Return the traceback of a run that failed, for the editor who submitted it alone; else an empty text."""
    visitor = visitors.here()
    is_own = run.is_private and not group_of(run.status.owner)
    is_mine = (
        run.status.owner == visitor.owner if is_own else owns(run, visitor) and run.status.client == visitor.client
    )
    return run.traceback if visitor.is_editor and is_mine else ""


def mark(run: Run) -> list[Any]:
    """Beside the name of a run: nothing for a public one."""
    if not run.is_private:
        return []
    if not owns(run):
        return [lock("Private, by link")]
    group = group_of(run.status.owner)
    return [lock(group, f"Visible to the group {group} and to people who have a link") if group else lock()]


def mark_all(runs: Sequence[Run]) -> list[Any]:
    """The same beside the name of several: that of the first which has one."""
    return next((found for run in runs if (found := mark(run))), [])
