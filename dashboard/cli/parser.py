"""What may be typed: an argparse whose refusals are one line, and the options that commands share."""

from __future__ import annotations

import argparse
import math
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

COMMANDS = (
    "up", "workers", "simulate", "bound", "generate", "convert", "list", "export", "report", "waits", "fidelity",
    "sweep", "paper", "loop", "site", "store", "links", "token", "pseudonymise",
)  # fmt: skip
"""Each is a module beside this one with SUMMARY, `configure(parser)` and `run(options) -> exit code`."""


class Refusal(Exception):
    """The question is wrong: one line for standard error, exit code 2."""


def reason(error: OSError) -> str:
    """Return why the system refuses, as the end of a sentence."""
    return (error.strerror or str(error)).lower()


class Parser(argparse.ArgumentParser):
    """argparse, but a mistake is one line without the usage, raised and not printed."""

    def error(self, message: str) -> NoReturn:
        command = self.prog.partition(" ")[2]
        where = f"{command}: " if command else ""
        raise Refusal(f"{where}{message}; see {self.prog} --help")

    def unknown(self, words: Sequence[str]) -> NoReturn:
        """Refuse what is no argument, with the option that it may stand for."""
        known = [option for action in self._actions for option in action.option_strings]
        meant = get_close_matches(words[0].partition("=")[0], known, 1) if words[0].startswith("-") else []
        self.error(f"unrecognized arguments: {' '.join(words)}" + (f"; did you mean {meant[0]}?" if meant else ""))

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write a message; argparse itself says nothing where it cannot."""
        print(message, end="", file=file or sys.stderr)


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options of one command, with its function as `run`, and as `given` those that differ from their defaults:
    option -> attribute."""
    given = sys.argv[1:] if arguments is None else arguments
    for option, value in pairwise(("", *given)):
        if (option[:1] == "-" and not value.strip()) or re.fullmatch(r"--[a-z-]+=\s*", value):
            name = value.strip().rstrip("=") or option
            raise Refusal(f"{name}: its value is empty, as of a variable that is not set")
    named = tuple(given[:1]) if given and given[0] in COMMANDS else COMMANDS
    parser, commands = program(named)
    options, unknown = parser.parse_known_args(given)
    if unknown:
        commands[named[0]].unknown(unknown)
    options.given = {
        action.option_strings[-1]: action.dest
        for action in commands[named[0]]._actions
        if action.option_strings and getattr(options, action.dest, action.default) != action.default
    }
    return options


def program(names: Sequence[str] = COMMANDS) -> tuple[Parser, dict[str, Parser]]:
    """The parser of the program with these commands, and those of the commands by name; it loads their modules."""
    parser = Parser(
        prog="shadowtime",
        description="Simulate a cluster's jobs under other schedulers, with proven bounds beside the results.",
        epilog="An example without a trace: shadowtime simulate lublin:jobs=1000 -a easy",
    )
    parser.add_argument("--version", action=Version)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    made = {}
    for name in names:
        module = import_module(f"shadowtime.dashboard.cli.{name}")
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=getattr(module, "DESCRIPTION", module.SUMMARY[:1].upper() + module.SUMMARY[1:] + "."),
            epilog=getattr(module, "EPILOG", None),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(command)
        command.set_defaults(run=module.run)
        made[name] = command
    return parser, made


class Version(argparse.Action):
    """Prints the engine version, which names the code that made a result."""

    def __init__(self, option_strings: Sequence[str], dest: str):
        super().__init__(option_strings, dest, nargs=0, help="print the version of the engine and stop")

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> NoReturn:
        from shadowtime.workers.version import engine_version

        print(f"shadowtime {engine_version()}")
        parser.exit()


def add_workload(parser: argparse.ArgumentParser, also: str = "") -> None:
    """The workload and its conversions; `also`: what else the command takes in its place."""
    parser.add_argument(
        "workload",
        metavar="WORKLOAD",
        help="a trace (.swf, .swf.gz), a table (jobs.csv#submit=NAME,runtime=NAME:minutes chooses columns), a JSON "
        "instance (file.json#case for one of several), - for such a file on standard input, "
        f"or a generator: lublin:jobs=1000,load=0.8{also}",
    )
    add_site(parser)
    parser.add_argument(
        "--convert",
        metavar="NAME[:name=value,...]",
        action="append",
        default=[],
        help="as `shadowtime list conversions` shows it; may be given several times, applied in this order",
    )
    parser.add_argument(
        "--seed", type=whole, default=0, metavar="S", help="random seed of the generator and of the algorithm (0)"
    )


SITE = {
    "machine": "slurm.conf, or output of scontrol show config, node or partition; may be given several times",
    "associations": "output of sacctmgr -P show assoc tree",
    "qos": "output of sacctmgr -P show qos",
    "shares": "output of sshare -a -l -P: usage at the start",
    "events": "output of sacctmgr -P show event: nodes that were down or drained",
    "reservations": "output of scontrol show reservation: maintenance windows",
}
"""Files of a Slurm site by the option that names them."""


def add_site(parser: argparse.ArgumentParser) -> None:
    """The files of the Slurm site whose log the workload is."""
    site = parser.add_argument_group("files of the Slurm site that recorded the log")
    for name, text in SITE.items():
        site.add_argument(f"--{name}", metavar="FILE", action="append", default=[], help=text)


def add_algorithm(parser: argparse.ArgumentParser, names: str, default: str | None = None) -> None:
    """The algorithm and its parameters; without a default it is required."""
    parser.add_argument(
        "-a",
        "--algorithm",
        required=default is None,
        default=default,
        metavar="ALGORITHM",
        action=OnlyOne,
        help=f"{names} ({default})" if default else names,
    )
    parser.add_argument(
        "-p",
        "--parameter",
        metavar="name=value",
        action=Pairs,
        default={},
        help="a parameter of the algorithm; may be given several times",
    )


def add_platform(parser: argparse.ArgumentParser) -> None:
    """The machine, when it is not the one that the workload names."""
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--processors", type=count, metavar="N", help="size of the machine (default: from the workload)")
    size.add_argument("--nodes", type=count, metavar="N", help="number of nodes, for workloads placed on nodes")
    size.add_argument("--platform", metavar="FILE", help="SimGrid platform: each host that computes is one processor")
    parser.add_argument("--cores-per-node", type=count, metavar="C", help="processors per node, with --nodes")


def add_tau(parser: argparse.ArgumentParser) -> None:
    """The floor of bounded stretch."""
    parser.add_argument(
        "--tau",
        type=seconds,
        metavar="S",
        help="least run time in the bounded slowdown [s] (default: from the workload, else 10); no part of a run's id",
    )


def add_store(parser: argparse.ArgumentParser) -> None:
    """The folder of the store."""
    parser.add_argument(
        "--store", metavar="DIR", help="folder of stored results ($SHADOWTIME_STORE or ~/.local/share/shadowtime)"
    )


def add_window_and_output(parser: argparse.ArgumentParser, window: str) -> None:
    """A window of the schedule, and the file that is written."""
    parser.add_argument("--from", type=instant, dest="start", metavar="S", help=f"start of the window{window} [s]")
    parser.add_argument("--to", type=instant, dest="end", metavar="S", help=f"end of the window{window} [s]")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="output file; - is standard output")
    add_store(parser)


def add_json(parser: argparse.ArgumentParser) -> None:
    """For machines: one object on standard output."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _number(kind: type[float], rule: str, text: str, low: float, most: float) -> Any:
    """Return a number in [low, most); another text breaks `rule`."""
    try:
        number = kind(text if text.isascii() and "_" not in text else "")
    except ValueError:
        number = -1.0
    if kind is int and number >= most:
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be at most {int(most) - 1:,}")
    if not low <= number < most:
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be {rule}")
    return number


def whole(text: str) -> int:
    """Return a whole number, 0 or more."""
    return _number(int, "a whole number, 0 or more", text, 0, 2**53 + 1)


def between(low: int, high: int) -> Callable[[str], int]:
    """Return a function that reads a whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be a whole number from {low} to {high}")
        return int(text)

    return read


def count(text: str) -> int:
    """Return a whole number above 0."""
    return _number(int, "a whole number above 0", text, 1, 2**31)


def instant(text: str) -> float:
    """Return a number of seconds, also one below 0."""
    return _number(float, "a number of seconds", text, -1e15, 1e15)


def seconds(text: str) -> float:
    """Return a time above 0."""
    return _number(float, "a number of seconds above 0", text, math.ulp(0.0), math.inf)


def check_folders(options: argparse.Namespace, *names: str) -> None:
    """Refuse an option that names a folder to write to, but is a file, or a place where nothing can be written."""
    for name in names:
        if folder := getattr(options, name):
            check_folder(Path(folder), f"--{name} {folder}")


def check_folder(folder: Path, option: str) -> None:
    """Refuse an option whose folder is a file, or cannot be made or written to."""
    if is_there(folder, option) and not folder.is_dir():
        raise Refusal(f"{option}: that is a file, not a folder")
    there = folder.absolute()
    check_place(next(place for place in (there, *there.parents) if os.path.exists(place)), option)


def is_there(path: Path, option: str) -> bool:
    """Return whether there is a file or folder; refuse an option whose path may not be looked at, or is none."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise Refusal(f"{option}: {reason(error)}") from None
    return True


def check_place(folder: Path, option: str) -> None:
    """Refuse an option whose file or folder cannot be made in `folder`; the file of the trial is removed."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return
    except OSError as error:
        raise Refusal(f"{option}: nothing can be written to {folder} ({error.strerror})") from None


class OnlyOne(argparse.Action):
    """Takes one algorithm: the last of several would be taken without a word."""

    def __call__(self, parser, namespace, text, option=None) -> None:
        if (first := getattr(namespace, "first_algorithm", None)) is not None:
            raise Refusal(
                f"{option} is given twice: {first} and {text}; `shadowtime sweep` compares several algorithms, and in "
                "Python st.compare"
            )
        namespace.first_algorithm = text
        setattr(namespace, self.dest, text)


class Pairs(argparse.Action):
    """Collects `name=value` texts in a dict; a name given twice is a mistake, not a choice."""

    def __call__(self, parser, namespace, text, option=None) -> None:
        values = getattr(namespace, self.dest)
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise Refusal(f"{option} {text[:80]!r}, but it must be name=value")
        if name in values:
            raise Refusal(f"{option} {name} is given twice: {values[name]} and {value}")
        setattr(namespace, self.dest, {**values, name: value})
