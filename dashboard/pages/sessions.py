"""One's own sessions, with a button that signs each out, and one's own tokens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from dash import html

from shadowtime.dashboard.access import own, visitors
from shadowtime.dashboard.components import tags
from shadowtime.dashboard.components.attributes import attributes
from shadowtime.dashboard.context import Context, Shown
from shadowtime.dashboard.look import words
from shadowtime.workers import utc
from shadowtime.workers.records.sessions import Session
from shadowtime.workers.records.tokens import Token


def layout(context: Context, _: str, query: Mapping[str, str]) -> Shown:
    """The lists, newest first."""
    visitor = visitors.here()
    sessions, tokens, now = own.sessions(), own.tokens(), utc.now().astimezone()
    return Shown(
        "Sessions",
        tags.div(
            "st-single",
            tags.div("st-headline", html.H1("Sessions"), html.Span(lead(visitor), className="st-ink2")),
            html.Div(id="live-notice", role="status"),
            *([session_table(sessions, visitor.session, now), everywhere()] if sessions else [nothing(visitor)]),
            *([html.H2("Tokens"), token_table(tokens, now)] if tokens else []),
        ),
    )


def lead(visitor: visitors.Visitor) -> str:
    """Whose sessions they are."""
    if visitor.credential is not None and visitor.credential.is_shared:
        return "All browsers in which the token of this server was entered."
    return f"Browsers in which {visitor.name} is signed in." if visitor.name else ""


def nothing(visitor: visitors.Visitor) -> html.P:
    """What stands in place of an empty list."""
    by_proxy = visitor.name and visitor.credential is None
    said = "The proxy in front of this server signs you in: there are no sessions here."
    return html.P(said if by_proxy else "You are not signed in.", className="st-ink2")


def everywhere() -> html.Button:
    """The button that ends all sessions."""
    return html.Button("Sign out everywhere", id="sign-out-everywhere", className="st-button")


def session_table(sessions: list[Session], current: str, now: datetime) -> html.Div:
    """All sessions, a row each; `current` is the id of that of this browser."""
    names = ("Browser", "Rights", "Signed in", "Last used", "Ends", "")
    return tags.scrolled("st-table st-sessions", names, [session_row(one, one.id == current, now) for one in sessions])


def session_row(session: Session, is_current: bool, now: datetime) -> html.Tr:
    """One session, with its button."""
    browser, began = browser_words(session.agent), when(session.created, now)
    label = {"data-sign-out": session.id, "aria-label": f"Sign out {browser}, signed in {began}"}
    if is_current:
        label["data-current"] = "1"
    here = [html.Span("this browser", className="st-small st-ink3")] if is_current else []
    return tags.tr(
        "",
        tags.td("", tags.div("st-linkname", html.Span(browser, className="st-strong", title=session.agent), *here)),
        html.Td(words.joined(list(session.scopes))),
        html.Td(began, className="st-ink2"),
        html.Td(when(session.used, now), className="st-ink2"),
        html.Td(until(session.expires, now), className="st-ink2"),
        html.Td(html.Button("Sign out", className="st-button st-plain", **attributes(label)), className="st-right"),
    )


def token_table(tokens: list[Token], now: datetime) -> html.Div:
    """All tokens, a row each; they are created and revoked by `shadowtime token`."""
    return tags.scrolled("st-table st-sessions", ("Token", "Rights", "Created", "Last used", "Ends"), [
        tags.tr(
            "",
            html.Td(token.id, className="st-mono"),
            html.Td(words.joined(list(token.scopes))),
            html.Td(when(token.created, now), className="st-ink2"),
            html.Td(when(token.used, now) if token.used else "never", className="st-ink2"),
            html.Td(until(token.expires, now) if token.expires else "when it is revoked", className="st-ink2"),
        )
        for token in tokens
    ])  # fmt: skip


def until(time: str, now: datetime) -> str:
    """A day to come, as the pages write it."""
    return words.day(datetime.fromisoformat(time).astimezone(now.tzinfo), now)


def when(time: str, now: datetime) -> str:
    """An instant, as the pages write it."""
    return words.when(datetime.fromisoformat(time), now)


BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
           ("Mac OS", "macOS"), ("Linux", "Linux"))  # fmt: skip


def browser_words(agent: str) -> str:
    """Return `Firefox on Linux` for the name that a browser gives itself; the beginning of any other name."""
    browser = next((name for part, name in BROWSERS if f"{part}/" in agent), "")
    system = next((name for part, name in SYSTEMS if part in agent), "")
    return " on ".join(filter(None, (browser, system))) if browser else agent[:40] or "Unknown browser"
