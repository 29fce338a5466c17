"""The tokens hold the contrasts they promise, and the generated style sheet is theirs."""

import re
from collections import Counter
from pathlib import Path

import pytest

from shadowtime.dashboard.look import theme

SCHEMES = (theme.LIGHT, theme.DARK)
TEXT = ("ink", "ink2", "ink3", "accent", "good", "warn", "bad")
GROUNDS = ("bg", "surface", "sunken")


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours after WCAG 2.2, from 1 to 21."""

    def luminance(colour: str) -> float:
        def linear(channel: int) -> float:
            share = channel / 255
            return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

        red, green, blue = (linear(channel) for channel in theme.rgb(colour))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", TEXT)
def test_text_contrasts_with_every_ground(scheme, ground, text):
    colours = theme.tokens(scheme)

    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("on-accent", "accent"),
        ("on-accent", "accent-strong"),
        ("accent", "accent-soft"),
        ("ink", "accent-soft"),
        ("ink2", "accent-soft"),
        ("good", "good-soft"),
        ("warn", "warn-soft"),
        ("bad", "bad-soft"),
        ("on-dock", "dock"),
        ("on-dock2", "dock"),
    ],
)
def test_text_contrasts_with_the_ground_it_was_made_for(scheme, text, ground):
    colours = theme.tokens(scheme)

    assert contrast(colours[text], colours[ground]) >= 4.5


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("mark", ["ctl", "fg", "bgt", "under", "bar", "accent"])
def test_controls_and_areas_stand_out(scheme, mark):
    colours = theme.tokens(scheme)

    assert contrast(colours[mark], colours["surface"]) >= 3
    assert contrast(colours[mark], colours["bg"]) >= 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_ramp_of_stretch_is_one_of_lightness(scheme):
    colours = theme.tokens(scheme)
    against = [contrast(colours[f"stretch-{step}"], colours["surface"]) for step in range(5)]

    assert against == sorted(against)


def test_dark_jobs_are_laid_over_the_surface():
    assert theme.tokens(theme.LIGHT)["job-0"] == "#77AADD"
    assert theme.tokens(theme.DARK)["job-0"] == f"#{theme.mix('77AADD', '191C1F', 0.82)}"


def test_contrast_of_black_on_white_is_21():
    assert contrast("000000", "#FFFFFF") == pytest.approx(21)


def test_a_job_keeps_its_hue():
    assert [theme.job_hue(number) for number in range(1, 9)] == [4, 1, 6, 3, 0, 5, 2, 7]
    assert {theme.job_hue(number) for number in range(1000)} == set(range(8))


def test_figures_name_their_colours_by_token():
    text = theme.template()

    assert text["layout"]["font"]["color"] == "var(--st-ink3)"


def test_a_figure_gets_the_template_when_it_is_sent():
    fig = theme.figure({"l": 1}, hovermode="closest")

    assert theme.plain(fig)["layout"] == {"template": theme.template(), "margin": {"l": 1}, "hovermode": "closest"}


def test_a_class_has_its_rule_in_one_sheet():
    # Sheets are loaded together: a rule for another page's class would change this page, too.
    sheets = sorted((Path(__file__).parents[2] / "assets").glob("*.css"))
    classes = [set(re.findall(r"^\.([a-z0-9-]+) \{", sheet.read_text(), re.MULTILINE)) for sheet in sheets]
    counted = Counter(name for names in classes for name in names)

    assert len(counted) > 300
    assert [name for name, n in counted.items() if n > 1] == []
