"""Read what `sacct -P` of Slurm prints: a header, then one line per job and job step, columns separated by `|`, or by
the comma, semicolon or tab that `--delimiter` named.

Rules: the columns may be in any order; of those that are there, READ are read. Left out are job steps (`12.batch`,
`12.0`), and jobs that never started, have not ended, or have no processors or no runtime. Each line of a requeued job
(`sacct -D`) is a job of its own, with its own submission; of lines with the same JobIDRaw, size and instants, as where
dumps overlap, one counts. The number of a job is its JobIDRaw; without that column the tasks of an array all have the
array's number, and parts of a heterogeneous job (`400+1`) the number 401, as in Slurm. The user is a number in order of
appearance, by User, or UID where that is empty; Account, Partition, QOS, State (without what follows
a blank), NodeList and Eligible are kept beside it. ReqNodes is the least number of nodes; nice value, dependency, cores
per task and whole nodes are those of SubmitLine (`submitted`). GPUs are those of AllocTRES, else ReqTRES. The runtime
is the elapsed time, in which a suspension does not count. Seconds count from the first submission; the clock shows the
site's times as they are written.

Format: the manual page of sacct, Slurm 22.05.
"""

from __future__ import annotations

import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.job import TEXTS, Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.sites.growing import Growing
from shadowtime.engine.workload.sites.quotes import ClosedLines
from shadowtime.engine.workload.sites.site_log import SiteLog, Texts, left_out, not_read, workload_of
from shadowtime.engine.workload.sites.stream import OddRows, Pieces
from shadowtime.engine.workload.sites.tables.header import is_comment
from shadowtime.engine.workload.sites.utf8 import as_utf8
from shadowtime.engine.workload.slurm.sacct_header import Header
from shadowtime.engine.workload.slurm.submitted import Submissions, with_singletons
from shadowtime.engine.workload.slurm.values import (
    LENGTH,
    amounts,
    counts,
    durations,
    first_numbers,
    gpus,
    instants,
    matching,
    memory,
    outcomes,
    steps,
    texts_of,
)  # fmt: skip
from shadowtime.engine.workload.words import count

READ = (
    "jobidraw", "jobid", "user", "uid", "submit", "start", "end", "elapsedraw", "elapsed", "timelimitraw", "timelimit",
    "alloccpus", "ncpus", "reqcpus", "reqmem", "account", "partition", "state", "nodelist", "alloctres", "reqtres",
    "qos", "eligible", "reqnodes",
)  # fmt: skip
NUMBERS = ("job_id", "submit", "start", "end", "size")
"""Numeric columns that each log has."""
ASKED = ("nice", "min_nodes", "task_cores", "whole_nodes")
LINE, NAME = "submitline", "jobname"
"""The command line of the submission; names of jobs are read only beside it, for `singleton`."""
BLOCK = 1 << 22
"""Bytes that are parsed at a time."""
STEP, HEADER = "job step", "repeated header"
"""Lines that are left out."""
ZONE = "submission with a time zone"
WITH_ZONE = re.compile(r"T\d\d:\d\d.*([Zz]|[+-]\d\d:?\d\d)\s*$")
SPECIAL: dict[str, tuple[str, str | re.Pattern[str]]] = {
    "task of an array": ("jobid", "_"),
    "part of a heterogeneous job": ("jobid", "+"),
    "limit UNLIMITED": ("timelimit", "UNLIMITED"),
    "memory for a node or processor": ("reqmem", re.compile(r"\d[KMGTP]?[cn]$")),
}
"""What is counted: the column, and the text or pattern in its values."""
TIMES = {"submit": "Submit", "start": "Start", "end": "End"}
SENTENCES = {
    "task of an array": ("array task was read as a job of its own", "array tasks were read as jobs of their own"),
    "part of a heterogeneous job": (
        "part of a heterogeneous job was read as a job of its own",
        "parts of heterogeneous jobs were read as jobs of their own",
    ),
    "limit UNLIMITED": ("limit UNLIMITED: no requested time", "limits UNLIMITED: no requested time"),
    "memory for a node or processor": (
        "memory for a node or processor: unknown for the job",
        "memories for a node or processor: unknown for the job",
    ),
    ZONE: (f"{ZONE}: converted to UTC", "submissions with a time zone: converted to UTC"),
}
"""What became of what is counted: of one, and of several."""
NO_TIME = pa.array(["", "Unknown", "None", "N/A", "NONE", "INVALID"])
HEADS = pa.array([form.format(name) for form in ("{}", "\ufeff{}", '\ufeff"{}"') for name in ("JobID", "JobIDRaw")])
"""What a column of job numbers holds in a header that stands between the lines, as in files put together; after
a byte order mark its quotation marks belong to the value."""
NOTHING = ("None assigned", "Unknown")
"""Texts of sacct that name nothing."""
CODED = pa.dictionary(pa.int32(), pa.string())
REPEATED = (
    "user", "uid", "account", "partition", "state", "nodelist", "reqmem", "elapsed", "timelimit", "alloctres",
    "reqtres", "qos",
)  # fmt: skip
"""Columns in which values occur often: they are coded while the text is parsed."""
SIZES = ("alloccpus", "ncpus", "reqcpus")
"""Columns with the processors of a job; the first above 0 counts."""


def read_sacct(pieces: Iterator[bytes], limits: Limits) -> Workload:
    """Return the workload of a text of sacct.

    Raises
    ------
    InvalidWorkload
        If the text is a table without a delimiter, lacks a needed column, or holds no job that ran.
    """
    stream = Pieces(as_utf8(pieces), limits)  # a line that is no record must be a text to be counted
    buffered = io.BufferedReader(stream, BLOCK)
    header, number = _header(buffered)
    names, odd, records = header.names, OddRows(), Records(numbered="jobidraw" in header.names)
    lines = ClosedLines(buffered, header.delimiter, odd.unclosed, number) if header.is_quoted else buffered

    try:
        with csv.open_csv(
            lines,
            read_options=csv.ReadOptions(column_names=names, block_size=BLOCK, use_threads=True),
            parse_options=csv.ParseOptions(
                delimiter=header.delimiter, quote_char='"' if header.is_quoted else False, invalid_row_handler=odd.skip
            ),
            convert_options=csv.ConvertOptions(
                column_types={name: CODED if name in REPEATED else pa.string() for name in names},
                include_columns=[name for name in (*READ, *_of_submissions(names)) if name in names],
                check_utf8=False,
            ),
        ) as batches:
            for batch in batches:
                records.add(*_numbers(batch, records.unreadable))
        pa.default_memory_pool().release_unused()
    except pa.ArrowInvalid as error:
        if "Empty CSV" in str(error):
            raise InvalidWorkload("it holds no job.") from None
        raise InvalidWorkload(f"it is no text of sacct -P: {str(error).splitlines()[0][:120]}.") from None
    return workload_of(records.log(odd))


def _of_submissions(names: list[str]) -> tuple[str, ...]:
    return (LINE, NAME) if LINE in names else ()


def _header(stream: io.BufferedReader[Any]) -> tuple[Header, int]:
    """Return the first line that is no comment, and the number of the next; columns of one name get different ones."""
    line, number = b"#", 1
    while is_comment(line):
        line, number = stream.readline(), number + 1
    found, delimiter, is_quoted = Header.of(line.decode("latin-1"))
    if not delimiter:
        raise InvalidWorkload("it is a table of sacct, whose columns are cut; use sacct -P, which separates them by |.")
    names = [name if name and name not in found[:at] else f"{name} {at}" for at, name in enumerate(found)]
    for needed, what in (
        (("jobid", "jobidraw"), "JobID"),
        (("submit",), "Submit"),
        (("start",), "Start"),
        (("end",), "End"),
        (SIZES, "AllocCPUS, NCPUS or ReqCPUS"),
    ):
        if not set(needed) & set(names):
            raise InvalidWorkload(
                f"its header has no column {what}; use `sacct -P -o JobID,User,Submit,Start,End,Timelimit,NCPUS`."
            )
    return Header(names, delimiter, is_quoted), number


def _numbers(
    batch: pa.RecordBatch, unreadable: dict[str, Unreadable]
) -> tuple[dict[str, np.ndarray | pa.Array], Counter[str]]:
    """Return the columns of the jobs of a batch as numbers, NaN where unknown, and how many have something special.

    unreadable: by column, how many values are no times; those of this batch are added.
    """
    has = set(batch.schema.names)
    number = "jobidraw" if "jobidraw" in has else "jobid"
    user = next((name for name in ("user", "uid") if name in has), None)
    is_header = pc.is_in(batch[number], value_set=HEADS)
    _check_headers(batch, is_header)
    is_no_job = pc.or_(steps(batch[number], is_header), is_header)
    jobs = _without(batch, is_no_job) if pc.any(is_no_job).as_py() else batch

    def optional(name: str, parse, missing: float = np.nan) -> np.ndarray:
        return parse(jobs[name]) if name in has else np.full(len(jobs), missing)

    times = {name: instants(jobs[name]) for name in TIMES}
    for name, found in times.items():
        unreadable[name] = unreadable[name].with_batch(jobs[name], found)
    start, end = times["start"], times["end"]
    elapsed = optional("elapsedraw", amounts)
    for found in (optional("elapsed", durations), end - start):
        elapsed = np.where(np.isnan(elapsed), found, elapsed)
    limit = 60.0 * optional("timelimitraw", amounts)
    limit = np.where(np.isnan(limit), optional("timelimit", durations), limit)
    size = np.zeros(len(jobs))
    for name in SIZES:
        size = np.where(size > 0, size, np.nan_to_num(optional(name, counts)))
    graphics: dict[str, np.ndarray] = {}
    for name in ("alloctres", "reqtres"):
        if name in has:
            found = gpus(jobs[name])
            graphics = {"gpus": np.where(np.isnan(graphics["gpus"]), found, graphics["gpus"]) if graphics else found}
    texts = {"user": user, "account": "account", "partition": "partition", "nodes": "nodelist", "qos": "qos"}
    coded = {name: jobs[column].dictionary_encode() for name, column in texts.items() if column in has}
    if {"user", "uid"} <= has:  # the name of a user who was deleted is empty
        names = jobs["user"].dictionary_decode()
        if pc.any(is_empty := pc.equal(names, "")).as_py():
            coded["user"] = pc.if_else(is_empty, jobs["uid"].dictionary_decode(), names).dictionary_encode()
    if "state" in has:
        coded["outcome"] = outcomes(jobs["state"])
    asked = _asked(jobs, has)
    if "eligible" in has:
        asked["eligible"] = instants(jobs["eligible"])
    headers = int(pc.sum(is_header).as_py() or 0)
    long = jobs["submit"].filter(pc.greater(pc.binary_length(jobs["submit"]), LENGTH))
    noted = Counter(
        {STEP: len(batch) - len(jobs) - headers, HEADER: headers, ZONE: matching(long, WITH_ZONE) if len(long) else 0}
    )
    noted += Counter({what: matching(jobs[name], pattern) for what, (name, pattern) in SPECIAL.items() if name in has})
    if "timelimit" not in has and "timelimitraw" in has:
        noted["limit UNLIMITED"] += matching(jobs["timelimitraw"], "UNLIMITED")
    return {
        **coded,
        "job_id": first_numbers(jobs[number]),
        **times,
        "elapsed": elapsed,
        "limit": limit,
        "size": size,
        "memory": optional("reqmem", memory),
        **graphics,
        **asked,
    }, noted


def _check_headers(batch: pa.RecordBatch, is_header: pa.Array) -> None:
    """Raise InvalidWorkload for a header between the lines whose columns are not those of the first one."""
    if not pc.any(is_header).as_py():
        return
    headers = batch.filter(is_header)
    for name in headers.schema.names:
        column = headers[name].dictionary_decode() if pa.types.is_dictionary(headers[name].type) else headers[name]
        for text in texts_of(column):
            if text.strip('\ufeff"').strip().lower() != name:
                raise InvalidWorkload(
                    f"a header between its lines has {text[:40]!r} where the first one has {name[:40]!r}: files that "
                    "are put together must have the same columns."
                )


def _asked(jobs: pa.RecordBatch, has: set[str]) -> dict[str, np.ndarray | pa.Array]:
    """Return what the submissions asked for, as far as the columns say."""
    found: dict[str, np.ndarray | pa.Array] = {}
    if "reqnodes" in has:  # 1 where the submission names no number
        nodes = np.nan_to_num(counts(jobs["reqnodes"]))
        found["min_nodes"] = np.where(nodes > 1, nodes, 0.0)
    if LINE in has:
        lines = Submissions(jobs[LINE])
        found["min_nodes"] = np.maximum(found.get("min_nodes", 0.0), lines.nodes())
        found |= {"nice": lines.nice(), "task_cores": lines.task_cores(), "whole_nodes": lines.whole_nodes()}
        found["dependency"] = lines.dependencies()
        if NAME in has:
            found[NAME] = jobs[NAME].cast(pa.binary())
    return found


def _without(batch: pa.RecordBatch, is_no_job: pa.Array) -> pa.RecordBatch:
    """Return the lines of jobs; texts that only steps have get no code."""
    jobs = batch.filter(pc.invert(is_no_job))
    columns = [
        column.dictionary_decode().dictionary_encode() if pa.types.is_dictionary(column.type) else column
        for column in jobs.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=jobs.schema.names)


class Unreadable(NamedTuple):
    """How many values of a column of times are neither times nor words for none, and the first of them."""

    number: int = 0
    first: str = ""

    def with_batch(self, column: pa.Array, found: np.ndarray) -> Unreadable:
        """Return the sum with a batch: its texts, and their instants, NaN where a text is none."""
        rows = np.flatnonzero(np.isnan(found))
        if not len(rows):
            return self
        texts = column.take(pa.array(rows))
        odd = texts.filter(pc.invert(pc.is_in(pc.utf8_trim_whitespace(texts), value_set=NO_TIME)))
        return Unreadable(self.number + len(odd), self.first or next(iter(texts_of(odd.slice(0, 1))), ""))


class Records:
    """The columns of all batches: numbers, and texts coded in order of their first line, -1 where there is none."""

    def __init__(self, *, numbered: bool) -> None:
        self.numbered = numbered
        self.noted: Counter[str] = Counter()
        self.unreadable: dict[str, Unreadable] = defaultdict(Unreadable)
        self._numbers: dict[str, Growing] = {}
        self._texts: dict[str, list[pa.DictionaryArray]] = {}
        self._names: list[pa.Array] = []

    def add(self, record: dict[str, np.ndarray | pa.Array], noted: Counter[str]) -> None:
        """Append the columns of a batch, and add what was noted of it."""
        self.noted += noted
        for name, column in record.items():
            if name == NAME:
                self._names.append(column)
            elif name in TEXTS:
                self._texts.setdefault(name, []).append(column)
            else:
                self._numbers.setdefault(name, Growing()).add(column)

    def _coded(self, name: str) -> Texts:
        """Return a column of texts. Its distinct texts become Python's once, not in each batch (half of the time)."""
        parts = pa.chunked_array(self._texts.pop(name)).unify_dictionaries().chunks
        number: dict[str, int] = {}
        texts = texts_of(parts[0].dictionary)
        codes = [number.setdefault(text, len(number)) if text and text not in NOTHING else -1 for text in texts]
        code_of, column = np.array([*codes, -1], dtype="i4"), Growing("i4")
        for part in parts:
            column.add(code_of[part.indices.fill_null(len(codes)).to_numpy(zero_copy_only=False)])
        return Texts(column.whole(), tuple(number))

    def log(self, odd: OddRows) -> SiteLog:
        """Return the records as a log; they are empty afterwards."""
        numbers, unreadable = {name: column.whole() for name, column in self._numbers.items()}, self.unreadable
        asked = {name: numbers.pop(name) for name in ASKED if name in numbers}
        groups = {name: self._coded(name) for name in TEXTS if name in self._texts}
        if "dependency" in groups and not groups["dependency"].texts:
            del groups["dependency"]
        if self._names and {"user", "dependency"} <= groups.keys():
            names = pa.chunked_array(self._names)
            groups["dependency"] = with_singletons(groups["dependency"], groups["user"].codes, names, numbers)
        return SiteLog(
            source="sacct",
            numbered=self.numbered,
            **cast(Any, {name: numbers.get(name, np.empty(0)) for name in NUMBERS} | numbers),
            groups=groups,
            asked=asked,
            notes=(
                *left_out(self.noted[STEP], STEP),
                *left_out(self.noted[HEADER], HEADER),
                *odd.sentences(),
                *(line for name in TIMES for line in not_read(*unreadable[name], TIMES[name], "instant")),
                *(
                    f"{count(self.noted[what], one, several)}."
                    for what, (one, several) in SENTENCES.items()
                    if self.noted[what]
                ),
            ),
        )  # fmt: skip
