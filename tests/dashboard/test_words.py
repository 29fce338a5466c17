"""What people read: numbers with three digits, times in two units, dates in the trace's own zone."""

from datetime import UTC, datetime, timedelta

import pytest

from shadowtime.dashboard.look import words
from shadowtime.engine.workload.job import Clock

KTH = Clock(unix_start=843_458_544, utc_offset=3600, zone="Europe/Stockholm")


def plain(text: str) -> str:
    return text.replace(words.GAP, " ")


@pytest.mark.parametrize(
    ("value", "text"),
    [(37.71, "37.7"), (188.2, "188"), (4601.3, "4,601"), (4601, "4,601"), (0.691, "0.69"), (1.0, "1.00"), (7, "7"),
     (9.999, "10.0"), (99.96, "100"), (0.0473, "0.047"), (-3.2, "−3.20"), (0.0, "0.00"), (None, ""),
     (float("nan"), "")],
)  # fmt: skip
def test_numbers_have_three_digits(value, text):
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 s"), (0.05, "0.05 s"), (0.312, "0.31 s"), (1.4, "1.4 s"), (20, "20 s"), (51.75, "51.8 s"), (59.99, "1 min"),
     (65, "1 min 05 s"), (1890, "31 min 30 s"), (3599.7, "1 h 00 min"), (11_460, "3 h 11 min"),
     (108_120, "30 h 02 min"), (622_800, "7 d 05 h"), (29_376_000, "340 d"),
     (-7_200, "−2 h 00 min"), (0.00022, "0.22 ms"), (float("inf"), "")],
)  # fmt: skip
def test_times_have_two_units(seconds, text):
    assert plain(words.duration(seconds)) == text


def test_ratios_carry_the_sign_and_are_empty_without_a_bound():
    assert words.ratio(1.609) == "×1.61"
    assert words.ratio(3177.2) == "×3,177"
    assert words.ratio(None) == words.ratio(float("nan")) == ""


def test_dates_are_in_the_zone_of_the_trace():
    summer = words.instant(0, KTH, year=True)
    winter = words.instant(100 * 86400, KTH, to="minute")

    assert summer == "Mon 23 Sep 1996 08:02:24"
    assert winter.startswith("Wed 1 Jan 07:02")


def test_an_unknown_zone_falls_back_on_its_offset():
    assert words.instant(0, Clock(0, 3600, "Nowhere/Here")) == "Thu 1 Jan 01:00:00"


def test_a_workload_without_a_date_counts():
    assert plain(words.instant(50, None)) == "50 s"
    assert plain(words.instant(7500, None)) == "2 h 05 min"
    assert words.instant(3 * 86400 + 2 * 3600 + 14 * 60, None) == "day 3 02:14:00"
    assert words.instant(3 * 86400, None, to="day") == "day 3"


@pytest.mark.parametrize(
    ("ago", "text"),
    [(timedelta(seconds=3), "now"), (timedelta(minutes=2), "2 min ago"), (timedelta(hours=3), "today 09:00"),
     (timedelta(hours=20), "yesterday 16:00"), (timedelta(days=3), "18 Nov"), (timedelta(days=400), "17 Oct 2025")],
)  # fmt: skip
def test_our_own_dates_are_told_from_now(ago, text):
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)

    assert words.when(now - ago, now) == text


def test_counts_and_places():
    assert words.count(1, "job") == "1 job"
    assert words.count(27992, "job") == "27,992 jobs"
    assert [words.ordinal(n) for n in (1, 3, 11, 22, 103)] == ["first", "third", "11th", "22nd", "103rd"]
    assert words.joined(["FCFS", "EASY", "MEASY"]) == "FCFS, EASY and MEASY"


@pytest.mark.parametrize(
    ("n", "text"),
    [(381_044, "0.4 MB"), (91_200, "91 kB"), (300, "300 B"), (2 * 10**8, "200 MB"), (2 * 10**9, "2.0 GB")],
)
def test_sizes_of_files(n, text):
    assert plain(words.size(n)) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.02, "0.1 s"), (0.44, "0.4 s"), (1.44, "1.4 s"), (12.3, "12 s"), (123, "2 min 05 s")]
)
def test_guesses_are_rough(seconds, text):
    assert plain(words.seconds_about(seconds)) == text


def test_negative_numbers_in_sentences_have_a_true_minus():
    assert words.with_signs("-9.8 %, -11.7 % (by load)") == "−9.8 %, −11.7 % (by load)"
    assert words.unbroken("23.1 %, 4 % (10 %ile), 5%") == "23.1\u202f%, 4\u202f% (10\u202f%ile), 5\u202f%"
    assert words.with_signs("10/10/80, SP-2, KTH-SP2-1996-2.1") == "10/10/80, SP-2, KTH-SP2-1996-2.1"


def test_durations_on_one_axis_have_one_unit():
    assert words.ticks([0.0, 172800.0, 345600.0]) == ["0", "2\u202fd", "4\u202fd"]
    assert words.ticks([0.0, 86400.0, 172800.0]) == ["0", "24\u202fh", "48\u202fh"]
