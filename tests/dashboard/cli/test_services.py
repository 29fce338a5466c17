"""The processes of `shadowtime up`, with small stand-ins for Redis, web and workers."""

import os
import shlex
import signal
import sys
import time

import pytest

from shadowtime.dashboard.cli.services import Service, Services, read_procfile

SLEEPER = "import time; print('up', flush=True); time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)


def python(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


@pytest.fixture
def keep(tmp_path):
    """Makes Services of named pieces of code; what still runs at the end is ended."""
    made = []

    def make(**codes: str) -> Services:
        services = Services([Service(name, python(code)) for name, code in codes.items()], os.environ, tmp_path)
        made.append(services)
        return services

    yield make
    for services in made:
        services.stop()


def tend_until(services: Services, condition, seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        services.tend()
        time.sleep(0.01)


def shown(capfd, text: str):
    """A condition: `text` has been printed."""
    lines: list[str] = []

    def condition() -> bool:
        lines.append(capfd.readouterr().out)
        return text in "".join(lines)

    return condition


def running(services: Services) -> bool:
    return all(service.running for service in services.services)


def test_a_killed_process_is_started_again_and_the_others_stay(keep):
    services = keep(redis=SLEEPER, worker=SLEEPER)
    tend_until(services, lambda: running(services))
    redis, worker = services.services
    before = redis.process.pid, worker.process.pid

    os.kill(worker.process.pid, signal.SIGKILL)
    tend_until(services, lambda: worker.process is None or worker.process.pid != before[1])
    tend_until(services, lambda: running(services))

    assert worker.process.pid != before[1]
    assert redis.process.pid == before[0]


def test_lines_of_our_own_are_dropped_when_the_reader_of_the_output_has_gone(keep, monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    monkeypatch.setattr(sys, "stdout", open(writing, "w"))  # noqa: SIM115
    services = keep(broken="raise SystemExit(3)")
    (broken,) = services.services

    tend_until(services, lambda: broken.short_lives == 2)
    services.say("Shadowtime is at http://127.0.0.1:8050")


def test_a_process_that_ends_at_once_waits_longer_each_time(keep):
    services = keep(broken="raise SystemExit(3)")
    (broken,) = services.services

    tend_until(services, lambda: broken.short_lives == 3)

    assert broken.process is None
    assert broken.due - time.monotonic() > 1.0


def test_stop_ends_within_two_seconds_what_ignores_the_request(keep, capfd):
    services = keep(redis=SLEEPER, web=STUBBORN)
    tend_until(services, shown(capfd, "web   | up"))

    began = time.monotonic()
    services.stop()

    assert time.monotonic() - began < 2.0
    assert not any(service.running for service in services.services)


def test_lines_are_shown_with_the_name_of_their_process(keep, capfd):
    services = keep(web="print('hello')", worker_1=SLEEPER)

    tend_until(services, shown(capfd, "web      | hello\n"))


def test_a_command_names_settings_and_no_shell_reads_it(keep, capfd):
    services = keep(web="import sys; print(sys.argv[1:])")
    services.services[0].command += " $SOMETHING ';' $(id)"
    services.environment["SOMETHING"] = "here"

    tend_until(services, shown(capfd, "['here', ';', '$(id)']"))


def test_our_procfile_has_the_three_lines():
    from shadowtime.dashboard.cli.up import ROOT

    assert list(read_procfile(ROOT / "Procfile")) == ["redis", "web", "worker"]
