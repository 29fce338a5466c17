"""What the command line of a submission asks for: nice value, dependency, nodes, cores per task, whole nodes.

Rules: the options before the script's name count, of several equal ones the first; those of a heterogeneous job are its
first part's. A script's name is the first word that begins with no hyphen and is no argument: LONG and SHORT are the
options without an argument, all others take the word that follows (`--x v`, `-x v`), unless they hold it (`--x=v`,
`-xv`). What follows `--wrap` is the job's own. Slurm records the words without quotes, so that an argument of several
words ends the options. Bare `--nice` is 100, as in Slurm; of `-N 2-4` the least counts.

`singleton` becomes that the job begins after the previous one of the same user and name has ended.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shadowtime.engine.workload.sites.site_log import Texts

LONG = (
    "parsable|exclusive|hold|requeue|no-requeue|overcommit|oversubscribe|test-only|verbose|quiet|wait|contiguous|"
    "use-min-nodes|spread-job|reboot|ignore-pbs|nice|get-user-env|propagate|no-kill|pty|label|unbuffered|immediate|"
    "overlap|exact|multi-prog|no-shell|no-bell|bell|disable-status|preserve-env|interactive|x11|share"
)
"""Long options without an argument, or whose argument follows an equals sign only."""
SHORT = "HIkKlOQsuvWXZE"
TAKING = "AaBbCcDdeFGiJLMmNnopqrStTwx"
"""Short options with an argument."""
END = rf"(?:\s--wrap[=\s]|(?:^|\s)(?:--[\w-]+=\S*|--(?:{LONG})|-[{SHORT}]+|-[{TAKING}][^\s]+|[^-\s]\S*)\s+[^-\s])"
"""Where options end: `--wrap`, or a word that begins with no hyphen after one that takes no argument."""
NICE = r"\s--nice(?:=(?P<value>-?\d{1,10}))?(?:\s|$)"
DEPENDENCY = r"\s(?:-d\s*|--dependency[=\s]\s*)(?P<value>[a-z0-9][^\s]*)"
NODES = r"\s(?:-N\s*|--nodes[=\s]\s*)(?P<value>\d{1,9})(?:-\d+)?(?:\s|$)"
TASK_CORES = r"\s(?:-c\s*|--cpus-per-task[=\s]\s*)(?P<value>\d{1,9})(?:\s|$)"
WHOLE = r"\s--exclusive(?:\s|$)"
HINTS = {NICE: "--nice", DEPENDENCY: "-d", NODES: "-", TASK_CORES: "-c", WHOLE: "--exclusive"}
"""A text that each line with the option holds: looking for it takes a tenth of the time of the pattern."""
BARE_NICE = 100.0
SINGLETON = "singleton"


class Submissions:
    """The lines of a batch of jobs."""

    def __init__(self, lines: pa.Array):
        self._lines = (lines.dictionary_decode() if pa.types.is_dictionary(lines.type) else lines).cast(pa.binary())
        self._end = pc.find_substring_regex(self._lines, END).fill_null(-1).to_numpy(zero_copy_only=False)

    def nice(self) -> np.ndarray:
        """Return the nice values; 0 where none is asked for."""
        rows, values = self._values(NICE)
        return self._numbers(rows, _numbers(values, BARE_NICE))

    def nodes(self) -> np.ndarray:
        """Return the least numbers of nodes; 0 where none is asked for."""
        rows, values = self._values(NODES)
        return self._numbers(rows, _numbers(values, 0.0))

    def task_cores(self) -> np.ndarray:
        """Return the cores of a task; 0 where none are asked for."""
        rows, values = self._values(TASK_CORES)
        return self._numbers(rows, _numbers(values, 0.0))

    def whole_nodes(self) -> np.ndarray:
        """Return 1 for jobs with `--exclusive`, else 0."""
        rows, _ = self._found(WHOLE)
        return self._numbers(rows, 1.0)

    def dependencies(self) -> pa.DictionaryArray:
        """Return the dependencies as they are written; null where there is none."""
        rows, values = self._values(DEPENDENCY)
        coded = values.dictionary_encode()
        codes = np.full(len(self._lines), -1, dtype="i4")
        codes[rows] = coded.indices.to_numpy(zero_copy_only=False)
        return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), coded.dictionary)

    def _numbers(self, rows: np.ndarray, values: np.ndarray | float) -> np.ndarray:
        column = np.zeros(len(self._lines))
        column[rows] = values
        return column

    def _found(self, pattern: str) -> tuple[np.ndarray, pa.Array]:
        """Return the rows with an option before the end of the options, and their lines."""
        holding = pc.match_substring(self._lines, HINTS[pattern]).fill_null(False)
        rows = np.flatnonzero(holding.to_numpy(zero_copy_only=False))
        if not len(rows):
            return rows, self._lines.slice(0, 0)
        lines = self._lines.take(pa.array(rows))
        place = pc.find_substring_regex(lines, pattern).to_numpy(zero_copy_only=False)
        end = self._end[rows]
        kept = (place >= 0) & ((end < 0) | (place <= end))
        return rows[kept], lines.filter(pa.array(kept))

    def _values(self, pattern: str) -> tuple[np.ndarray, pa.Array]:
        """Return the rows with an option, and its values; an empty text for one without."""
        rows, lines = self._found(pattern)
        return rows, pc.struct_field(pc.extract_regex(lines, pattern), "value")


def _numbers(values: pa.Array, default: float) -> np.ndarray:
    """Return texts of digits as numbers; `default` for empty ones."""
    texts = values.cast(pa.string())
    known = pc.if_else(pc.equal(texts, ""), None, texts).cast(pa.int64()).cast(pa.float64())
    return known.fill_null(default).to_numpy(zero_copy_only=False)


def submission_of(line: str) -> tuple[float, str | None, float, float, float]:
    """Return nice value, dependency, nodes, cores of a task and whole nodes of one line."""
    end = re.search(END, line, re.ASCII)

    def value(pattern: str) -> str | None:
        found = re.search(pattern, line, re.ASCII)
        if found is None or (end and found.start() > end.start()):
            return None
        return (found.groupdict().get("value") or "") if found.re.groups else ""

    nice, nodes, cores = value(NICE), value(NODES), value(TASK_CORES)
    return (
        0.0 if nice is None else float(nice or BARE_NICE),
        value(DEPENDENCY) or None,
        float(nodes or 0),
        float(cores or 0),
        float(value(WHOLE) is not None),
    )


def with_singletons(
    dependency: Texts, user: np.ndarray, names: pa.ChunkedArray | pa.Array, numbers: Mapping[str, np.ndarray]
) -> Texts:
    """Return the dependencies with `afterany:<number>` in place of each `singleton`: the number of the previous job of
    the same user and name, of those that started and ended. Of a job without a previous one it is left out.

    Parameters
    ----------
    user
        Code of the user of each job, -1 where unknown; such jobs have no previous one.
    numbers
        Columns `job_id`, `submit`, `start` and `end`.
    """
    alone = [code for code, text in enumerate(dependency.texts) if SINGLETON in text.split(",")]
    of_singletons = np.isin(dependency.codes, alone)
    if not of_singletons.any():
        return dependency
    alike = pc.is_in(names, value_set=pc.unique(names.filter(pa.array(of_singletons)).cast(pa.binary())))
    ran = ~np.isnan(numbers["start"]) & ~np.isnan(numbers["end"]) & (user >= 0)
    rows = np.flatnonzero(np.asarray(alike, dtype=bool) & (ran | of_singletons))
    rows = rows[np.lexsort((numbers["job_id"][rows], numbers["submit"][rows]))]
    number = {text: code for code, text in enumerate(dependency.texts)}
    codes, before = dependency.codes.copy(), dict[tuple[int, bytes], int]()
    for row, name in zip(rows.tolist(), names.take(pa.array(rows)).to_pylist(), strict=True):
        key = (int(user[row]), name)
        if of_singletons[row]:
            previous = f"afterany:{before[key]}" if key in before else ""
            parts = [previous if part == SINGLETON else part for part in dependency.texts[codes[row]].split(",")]
            text = ",".join(part for part in parts if part)
            codes[row] = number.setdefault(text, len(number)) if text else -1
        if ran[row]:
            before[key] = int(numbers["job_id"][row])
    return Texts(codes, tuple(number))
