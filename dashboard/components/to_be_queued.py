"""Beside the form of a new run: what will be queued, what is known before, and the same as a command."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import dash_mantine_components as dmc
from dash import dcc, html

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.components import naming, results, states, tags, visitor
from shadowtime.dashboard.components.icons import icon
from shadowtime.dashboard.components.question import Form, Question
from shadowtime.dashboard.look import words
from shadowtime.engine.platform import advise

SHOWN = ("makespan", "mean_flow", "weighted_completion", "total_job_time", "max_bounded_stretch")


def panel(form: Form) -> list[Any]:
    """The aside before anything is known."""
    title = [html.H2("To be queued"), html.Div("", id="new-jobs", className="st-queuejobs")]
    room = {"--n": max(1, len(form.chosen))} if form.has_workload else {}  # of what the first answer brings
    lines = html.Div(id="new-queue", style=room)
    queued = [privacy(form), lines, visitor.note("queue runs")]
    return [
        tags.section("", *title, *queued, html.Div(id="new-refusal", role="alert")),
        tags.section("", html.H3("Lower bounds"), html.Div(id="new-bounds", style=room)),
        tags.section(
            "",
            tags.div(
                "st-section-title",
                html.H3("Command line"),
                dmc.CopyButton(
                    [icon("copy", 15), "Copy"],
                    id="new-copy",
                    value="",
                    disabled=True,  # until there is a command
                    copiedChildren=[icon("check", 15), "Copied"],
                    variant="transparent",
                    size="compact-sm",
                    className="st-copy",
                    timeout=2000,
                ),
            ),
            html.Pre("", id="new-command", className="st-well st-command"),
        ),
    ]


def privacy(form: Form) -> html.Div:
    """Whether the runs are to be one's own or a group's; not offered where visitors are not identified."""
    can, groups = visitors.access() != "open", visitors.here().groups
    box = dmc.Checkbox(id="new-private", label="Private", checked=form.private and can, disabled=not can, size="xs")
    choice = dmc.Select(
        data=list(groups),  # a value is its own label: browser code reads it from the input
        id="new-group",
        value=form.group if form.group in groups else None,
        placeholder="visible to you alone, or to a group",
        clearable=True,
        size="xs",
        display=None if groups else "none",
        className="st-group",
        **{"aria-label": "Who sees private runs"},
    )
    seen_by = "You or the chosen group see" if groups else "Only you see"
    why = html.P(f"{seen_by} them, and people who have a link.", className="st-caption")
    return tags.div("st-privatebox st-writes", box, choice, why, hidden=not can)


def seconds_of(run: Mapping[str, Any]) -> float:
    """About how long a run takes; nothing when it is found."""
    return 0.0 if run.get("status") == "finished" else run.get("seconds") or 0.0


def queue(known: Mapping[str, Any], workers: int) -> list[Any]:
    """The runs with the time of each, and the one button."""
    runs, trouble = known["runs"], known.get("platform_error")
    lines: list[html.Div | html.P] = [line(run, trouble) for run in runs]
    wrong = [run for run in runs if run["error"]]
    fresh = [run for run in runs if not run["error"] and run["status"] != "finished"]
    total = sum(seconds_of(run) for run in fresh) / max(1, min(workers, len(fresh)))
    together: list[Any] = []
    if len(fresh) > 1:
        on = f"Together, on {words.count(max(1, workers), 'worker')}"
        together = [
            tags.div(
                "st-together", html.Span(on), html.Span(f"about {words.seconds_about(total)}", className="st-strong")
            )
        ]
    if not runs:
        lines = [html.P("Choose at least one scheduler.", className="st-ink3")]
    if known.get("most_in_use"):
        lines.append(
            html.P("Enter the number of processors of the machine under Platform.", className="st-bad st-small")
        )
    elif trouble:
        lines.append(html.P(sentence(trouble), className="st-bad st-small"))
    can = bool(runs) and not wrong and not trouble
    return [html.Div(lines, className="st-queuelist"), *together, button(runs, fresh, total, can), *keys(can)]


def line(run: Mapping[str, Any], trouble: str | None = None) -> html.Div:
    """One run that will be queued, was found, or cannot be; `trouble` is what is said of all runs together."""
    if run["error"]:
        own = "" if run["error"] == trouble else sentence(run["error"])
        right: Any = html.Span(own, className="st-bad st-small")
    elif run["status"] == "finished":
        right = dcc.Link([icon("check", 15), "already computed"], href=run["url"], className="st-found")
    elif run["status"] in ("queued", "running"):
        right = html.Span(f"already {run['status']}", className="st-accent")
    else:
        right = html.Span(f"about {words.seconds_about(seconds_of(run))}", className="st-ink2")
    name = html.Span(naming.algorithm_words(run["algorithm"], run.get("parameters")), className="st-strong")
    return tags.div("st-queueline", name, right)


def button(runs: Sequence[Mapping[str, Any]], fresh: Sequence[Any], seconds: float, can: bool) -> html.Div:
    """What a click does, and how long that takes."""
    if not runs:
        said = "Queue runs"
    elif not can and not fresh:
        said = f"Queue {words.count(len(runs), 'run')}"
    elif not fresh:
        said = "Open the run" if len(runs) == 1 else f"Open {words.count(len(runs), 'run')}"
    else:
        said = f"Queue {words.count(len(runs), 'run')} · about {words.seconds_about(seconds)}"
    main = html.Button(said, id="queue", className="st-button st-primary st-wide", disabled=not can)
    return html.Div(main, className="st-queuebar")


def keys(can: bool) -> list[Any]:
    """The keys that do the same."""
    return [tags.div("st-keys", html.Kbd("Ctrl"), html.Kbd("Enter"))] if can else []


def later_bounds() -> list[Any]:
    """Of jobs whose bounds take long."""
    return [html.P("The lower bounds of so many jobs are computed with the run.", className="st-caption")]


def bounds(known: Mapping[str, float]) -> list[Any]:
    """Proven before anything runs."""
    shown = [name for name in SHOWN if known.get(name)]
    if "mean_flow" in shown and "total_job_time" in shown:
        shown.remove("total_job_time")
    if "mean_flow" in shown and "weighted_completion" in shown:
        shown.remove("weighted_completion")
    if not shown:
        return [html.P("No lower bound is proven for these jobs.", className="st-caption")]
    lines = [
        tags.tr(
            "",
            html.Th(results.titled(name), scope="row"),
            html.Td(f"≥ {results.written(name, known[name])}"),
        )
        for name in shown
    ]
    note = "No scheduler can do better than these proven bounds on these jobs."
    return [
        html.Table(html.Tbody(lines), className="st-figures st-figures-small"),
        html.P(note, className="st-caption"),
    ]


def commands(question: Question) -> tuple[str, str]:
    """The commands as they are shown, a part a line, and as they are copied, a command a line."""
    parts = [question.command(one) for one in question.asked]
    return "\n".join("\n  ".join(one) for one in parts), "\n".join(" ".join(one) for one in parts)


def refused(text: str) -> Any:
    """Why nothing can be queued."""
    return states.notice("bad", "circle-x", "", sentence(text))


def sentence(text: str) -> str:
    """The engine's words as a sentence, with the place on the form for the size of a machine."""
    text = advise(text, "under Platform")
    is_file = bool(re.match(r"\S*[.#]\w", text))
    return (text if is_file else text[:1].upper() + text[1:]) + ("" if text.endswith((".", "!", "?")) else ".")
