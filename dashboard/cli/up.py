"""`shadowtime up`: the laboratory on this machine, Redis, web process and workers, until Ctrl-C."""

from __future__ import annotations

import argparse
import http.client
import os
import socket
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import Refusal, add_store, between, check_folder, count
from shadowtime.dashboard.cli.services import Service, Services, read_procfile

if TYPE_CHECKING:
    from shadowtime.workers.processes import StopRequest
    from shadowtime.workers.settings import Settings

SUMMARY = "start the web server, the queue and workers"
DESCRIPTION = (
    "Start the web server and workers on this machine, and Redis if none is running. Ctrl-C stops all of them."
)

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("SHADOWTIME_STORE", "SHADOWTIME_AUDIT", "SHADOWTIME_CACHE", "SHADOWTIME_TRACES")
TEND_EVERY = 0.1
ASK_EVERY = 0.2
PATIENCE = 120.0
"""Seconds that a first start may take (an empty cache on a slow disk) before it counts as failed."""

MOST_WORKERS = 1000
"""Processes of one machine; others start workers of their own."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1: only from this machine)")
    parser.add_argument("--port", type=port, default=8050, help="port of the web page (8050)")
    parser.add_argument(
        "--workers",
        type=between(0, MOST_WORKERS),
        metavar="N",
        default=usual_workers(),
        help="number of workers (%(default)s); 0: only workers on other machines",
    )
    add_store(parser)
    parser.add_argument(
        "--redis",
        metavar="URL",
        help="Redis server of the queue ($REDIS_URL; otherwise one on this machine, or a new one)",
    )


def run(options: argparse.Namespace) -> int:
    """Start everything, print its address, and stay until a signal to stop."""
    from shadowtime.workers.processes import StopRequest

    check_redis(options.redis)
    if reason := cannot_listen(options.host, options.port):
        print(reason, file=sys.stderr)
        return 1
    variables = environment(options)
    settings = checked(variables)
    take_over(settings)
    check_folder(settings.store, f"up: --store (or SHADOWTIME_STORE) {settings.store}")
    require_moved_blobs(settings)
    stopping = StopRequest.of_signals()
    services = Services(processes(options.workers), variables, ROOT)
    threading.Thread(target=announce, args=(options, services, stopping), daemon=True).start()
    try:
        while not stopping.is_set():
            services.tend()
            stopping.wait(TEND_EVERY)
    finally:
        services.stop()
    return 0


def port(text: str) -> int:
    """A TCP port."""
    number = count(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"{number}, but a port is at most 65535")
    return number


def usual_workers() -> int:
    """As many as there are processors, at least two so that two runs are drawn together, at most eight."""
    return min(8, max(2, os.cpu_count() or 1))


def processes(workers: int) -> list[Service]:
    """The lines of the Procfile, that of the worker once for each worker."""
    services = []
    for name, command in read_procfile(ROOT / "Procfile").items():
        if name == "worker":
            services += [Service(f"worker.{i + 1}", command) for i in range(workers)]
        else:
            services.append(Service(name, command))
    return services


def environment(options: argparse.Namespace) -> dict[str, str]:
    """Return the environment of the processes: ours, with the options, and this Python's own programs first on PATH."""
    from shadowtime.workers import private_redis
    from shadowtime.workers.settings import HOME

    changes = {
        "HOST": f"[{options.host}]" if ":" in options.host else options.host,
        "PORT": str(options.port),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONUNBUFFERED": "1",
    }
    folders = {name: os.environ[name] for name in FOLDERS if os.environ.get(name)}
    if options.store:
        folders["SHADOWTIME_STORE"] = options.store
    # The processes stand in the folder of the package: what is relative is meant from here.
    changes |= {name: str(Path(os.path.expanduser(folder)).resolve()) for name, folder in folders.items()}
    redis = options.redis or os.environ.get("REDIS_URL")
    changes["REDIS_URL"] = redis or private_redis.chosen(Path(changes.get("SHADOWTIME_STORE", HOME)))
    return {**os.environ, **changes}


def checked(variables: Mapping[str, str]) -> Settings:
    """Return the settings; a wrong one is refused: every process would end with it, and be started again for ever."""
    from shadowtime.workers import checked_settings

    settings = checked_settings.checked(variables)
    if settings.database:
        check_database_folder(settings)
    return settings


def require_moved_blobs(settings: Settings) -> None:
    """Refuse a bucket that lacks what the laboratory kept elsewhere: its web process would not start."""
    from shadowtime.workers.store import is_store

    if not settings.blobs or not (settings.database or is_store(settings.store)):
        return
    from shadowtime.workers import laboratory
    from shadowtime.workers.store import store_of

    try:
        laboratory.require_blobs(store_of(settings), settings)
    except laboratory.Misfit as misfit:
        raise Refusal(f"up: {misfit}") from None


def check_database_folder(settings: Settings) -> None:
    """Refuse a file of SQLite whose folder is missing, unless that is the store, which is made."""
    driver, _, path = settings.database.partition("///")
    folder = (ROOT / path).parent.resolve()  # the processes stand in ROOT
    if driver == "sqlite:" and folder != settings.store:
        check_folder(folder, "up: the folder of SHADOWTIME_DATABASE")
        if not folder.is_dir():
            raise Refusal(f"up: SHADOWTIME_DATABASE names a file in {folder}, but there is no such folder")


def take_over(settings: Settings) -> None:
    """Take over what an older version kept in the store before anything starts, which would wait for it; print that."""
    from shadowtime.workers import older_files

    if older_files.are_there(settings.store):
        # The records take 0.6 s to import, and the process 0.2 s longer to end.
        from shadowtime.workers import logs
        from shadowtime.workers.store import store_of

        logs.configure(settings)
        store_of(settings).database.close()


def check_redis(given: str | None) -> None:
    """Refuse a text that is no URL of a server, or a server that refuses us: every process would end with it, and be
    started again for ever."""
    from shadowtime.engine.errors import InvalidParameter
    from shadowtime.workers.connection import answers, shown, takes_commands

    url = given or os.environ.get("REDIS_URL")
    if not url:
        return
    option = "--redis" if given else "REDIS_URL"
    try:
        is_refused = answers(url) and not takes_commands(url)
    except InvalidParameter as error:
        reason = str(error).partition(": ")[2]
        raise Refusal(f"up: {option} {url[:80]!r}: {reason}") from error
    if is_refused:
        raise Refusal(
            f"up: {option} {shown(url)[:80]!r}: the server takes no commands without the right password; "
            "write it as redis://:PASSWORD@host:6379/0"
        )


def cannot_listen(host: str, port: int) -> str | None:
    """Why the address cannot be used, or None."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror as error:
        raise Refusal(f"up: --host {host}: {error.strerror}") from error
    except OSError as error:
        return f"{host}:{port} cannot be used ({error.strerror}); choose another with --port"
    return None


def announce(options: argparse.Namespace, services: Services, stopping: StopRequest) -> None:
    """Print the address as soon as the web page answers there."""
    anywhere = options.host in ("0.0.0.0", "::", "")
    host = "127.0.0.1" if anywhere else options.host
    deadline = time.monotonic() + PATIENCE
    while not stopping.wait(ASK_EVERY):
        if answers(host, options.port):
            shown = f"[{host}]" if ":" in host else host
            others = f" (and at every address of this machine, port {options.port})" if anywhere else ""
            open_door = f"{warning}\n" if (warning := open_to_all(options.host, os.environ)) else ""
            services.say(f"\nShadowtime is at http://{shown}:{options.port}{others}\n{open_door}Ctrl-C stops it.\n")
            return
        if time.monotonic() > deadline:
            services.say(f"\nShadowtime does not answer after {PATIENCE:g} s: see the lines above.\n")
            deadline = float("inf")


def open_to_all(host: str, environment: Mapping[str, str]) -> str:
    """Return the warning for a laboratory that other machines reach and everybody may write to; else nothing."""
    from shadowtime.workers.settings import Settings, listens_alone

    if listens_alone(host) or Settings.from_environment(environment).access != "open":
        return ""
    return (
        "Everyone who can reach this address may queue, cancel and delete runs. "
        "Set SHADOWTIME_TOKEN to require a token."
    )


def answers(host: str, port: int) -> bool:
    """The web process serves, and its queue does too."""
    connection = http.client.HTTPConnection(host, port, timeout=2)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
