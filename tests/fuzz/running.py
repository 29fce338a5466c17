"""Targets under atheris: a process each, in which the code that is tried counts its branches.

libFuzzer ends the process at the end, at the first fault, at an input that takes too long and when too much memory is
held; what it says on the way is read here.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from tests.fuzz import mutation
from tests.fuzz.target import LONGEST, MEMORY, SLOWEST, Target, attempt

FAULT = 77
"""Exit status of a process that found one."""
IN_MEMORY = Path("/dev/shm")
CRASH = re.compile(rb"^.*=== Uncaught Python exception: ===\n(.*)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Tried:
    """What came of a target."""

    target: str
    inputs: int
    seconds: float
    """Of the processor."""
    branches: int
    """Places of the code that were reached."""
    fault: str = ""
    """What was wrong, empty where nothing was."""
    content: bytes = b""
    """The input over which it was."""


@dataclass(frozen=True)
class Effort:
    """How much is tried of a target."""

    seconds: int
    runs: int = -1
    """Inputs at most; -1: as many as there is time for."""
    seed: int = 1


def run(targets: Sequence[Target], effort: Effort, kept: Path) -> Iterator[Tried]:
    """Try one target after the other; inputs that found something new are kept in a folder each."""
    for target in targets:
        folder = Path(mkdtemp(prefix="shadowtime-fuzz-", dir=IN_MEMORY if IN_MEMORY.is_dir() else None))
        try:
            yield _run(target, effort, kept / target.name, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _run(target: Target, effort: Effort, kept: Path, folder: Path) -> Tried:
    said = folder / "said"
    child = os.fork()
    if child == 0:
        try:
            _in_child(target, effort, kept, folder, said)
        except SystemExit:  # a fault, and libFuzzer has said it
            os._exit(FAULT)
        except BaseException:
            traceback.print_exc()
            os._exit(FAULT)
    _, status, used = os.wait4(child, 0)
    took, text = used.ru_utime + used.ru_stime, said.read_bytes()
    inputs = re.search(rb"stat::number_of_executed_units:\s*(\d+)", text) or re.search(rb"^#(\d+)", text, re.MULTILINE)
    reached = re.findall(rb" cov: (\d+)", text) or [b"0"]
    code = os.waitstatus_to_exitcode(status)
    found = sorted(folder.glob("fault-*"))
    fault = f"{_fault(text)} (code {code})" if code else ""
    content = found[0].read_bytes() if found else b""
    return Tried(target.name, int(inputs[1]) if inputs else 0, took, int(reached[-1]), fault, content)


def _in_child(target: Target, effort: Effort, kept: Path, folder: Path, said: Path) -> None:
    """Comes back over a fault alone: libFuzzer ends the process."""
    import atheris

    out = os.open(said, os.O_WRONLY | os.O_CREAT, 0o644)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.environ["TMPDIR"] = str(folder)  # what targets write they write to memory
    kept.mkdir(parents=True, exist_ok=True)
    (folder / "seeds").mkdir()
    for number, example in enumerate(target.seeds()):
        (folder / "seeds" / str(number)).write_bytes(example)
    (folder / "words").write_text("".join(f'"{_escaped(word)}"\n' for word in target.words or ("0",)))
    arguments = [
        "fuzz", f"-max_total_time={effort.seconds}", f"-runs={effort.runs}", f"-seed={effort.seed}",
        f"-timeout={SLOWEST}", f"-rss_limit_mb={MEMORY}", f"-max_len={LONGEST}", "-len_control=0",
        f"-dict={folder / 'words'}", f"-artifact_prefix={folder}/fault-", "-print_final_stats=1",
        str(kept), str(folder / "seeds"),
    ]  # fmt: skip
    words = tuple(word.encode() for word in target.words)

    def mutate(content: bytes, largest: int, seed: int) -> bytes:
        """Every second time libFuzzer's own changes, which know what the code compared with."""
        random = Random(seed)
        changed = None
        if random.random() < 0.5:
            changed = mutation.as_json(content, random) if target.is_json else mutation.as_bytes(content, random, words)
        if changed is None or len(changed) > largest:
            changed = atheris.Mutate(content, largest)
        return changed

    def one(content: bytes) -> None:
        try:
            attempt(target, content)
        except BaseException:
            (folder / "fault-exception").write_bytes(content)  # libFuzzer keeps only what it ends the process for
            raise

    for example in target.seeds():
        attempt(target, example)
    end_at_once()
    atheris.Setup(arguments, one, custom_mutator=mutate)
    atheris.Fuzz()


ON_EXIT = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p)(lambda status, _: os._exit(status))


def end_at_once() -> None:
    """Let `exit` end the process before destructors run, of libraries that were used until now.

    libFuzzer calls `exit` and holds the lock of the interpreter, for which a thread of pyarrow may wait that its
    destructor waits for.
    """
    ctypes.CDLL(None).on_exit(ON_EXIT, None)


def _fault(text: bytes) -> str:
    """What was said last: the exception with where it was raised, or libFuzzer's own word."""
    found = CRASH.search(text)
    said = found[1].partition(b"\n==")[0] if found else text[-2000:]
    return said.decode("utf-8", "replace").strip()[-3000:]


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode())


def report(tried: Tried) -> None:
    """A line of what was tried, and what was found in full."""
    print(
        f"{tried.target:18} {tried.inputs:>10,} inputs {tried.seconds:>7.1f} s {tried.branches:>6,} branches",
        flush=True,
    )
    if tried.fault:
        print(f"{tried.target}: {tried.fault}\ninput: {tried.content!r}", file=sys.stderr, flush=True)
