"""From the arguments of a command to a workload and a machine; shared by several commands."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.cli.parser import SITE, Refusal, check_place, is_there, reason

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Workload


def load(options: argparse.Namespace) -> Workload:
    """The workload that the command line names, with its conversions applied."""
    from shadowtime.workers.conversions import convert_all

    site = {name: paths for name in SITE if (paths := getattr(options, name, None))}
    return convert_all(read_or_draw(options.workload, options.seed, site), options.convert, options.seed)


def read_or_draw(reference: str, seed: int, site: Mapping[str, Sequence[str]] | None = None) -> Workload:
    """Return the jobs of a file, of a case of it (`instances.json#name`), of a sample, or those a generator draws.

    `site` has the files of the Slurm site that recorded the log, by the option that names them.
    """
    from shadowtime.dashboard.intake.site_files import archive
    from shadowtime.engine.registry import generators
    from shadowtime.engine.workload.reading import read
    from shadowtime.engine.workload.samples import samples

    path, case = file_of(reference)
    if path is None:
        slug = reference.partition(":")[0]
        if slug.strip().lower() not in generators():
            known = f"generators: {', '.join(generators())}; samples: {', '.join(samples())}"
            raise Refusal(f"there is no file {reference!r} and no generator {slug!r}; {known}")
        if site:
            raise Refusal(f"--{next(iter(site))}: files of a site go with logs, not with generated jobs")
        return draw(reference, seed)
    try:
        if site:
            return read(BytesIO(archive(path, site)), path.name, case)
        with path.open("rb") as stream:
            # A pipe, such as <(zcat log.gz), is read to its end first.
            return read(stream if stream.seekable() else BytesIO(stream.read()), path.name, case)
    except OSError as error:
        raise Refusal(f"{error.filename or path} was not read: {reason(error)}") from error


def draw(reference: str, seed: int) -> Workload:
    """What the generator of `lublin:jobs=1000,load=0.8` draws; its own `seed=` goes before the option."""
    from shadowtime.engine.registry import find_generator
    from shadowtime.engine.workload.generators.generate import generate
    from shadowtime.engine.workload.references import parse_reference

    find_generator(reference.partition(":")[0])
    slug, parameters = parse_reference(reference)
    assert isinstance(parameters, dict), "a generator was found"
    return generate(slug, parameters, seed)


def file_of(reference: str) -> tuple[Path | None, str | None]:
    """Return the file that a text names, and the case in it; (None, None) when there is no such file.

    An existing file goes before a sample of that name; "-" is standard input.
    """
    from shadowtime.engine.workload.references import splits
    from shadowtime.engine.workload.samples import named_sample

    if not reference:
        raise Refusal("the name of the workload is empty")
    if reference == "-":
        return Path("/dev/stdin"), None
    whole = Path(reference)
    if is_there(whole, f"{reference[:80]} was not read"):
        return whole, None
    for name, case in splits(reference):
        if name and is_there(Path(name), f"{name[:80]} was not read"):
            return Path(name), case
    sample = named_sample(reference)
    return (sample[0].path, sample[1]) if sample else (None, None)


def platform(options: argparse.Namespace) -> dict[str, Any]:
    """The machine of the command line; empty when it is the workload's own."""
    given = {
        "processors": _hosts(options.platform) if options.platform else options.processors,
        "nodes": options.nodes,
        "cores_per_node": options.cores_per_node,
    }
    return {name: value for name, value in given.items() if value is not None}


def _hosts(path: str) -> int:
    """Return the processors of a SimGrid platform file."""
    from shadowtime.engine.workload.sites.simgrid import read_processors

    try:
        with Path(path).open("rb") as stream:
            return read_processors(stream, Path(path).name)
    except OSError as error:
        raise Refusal(f"{path} was not read: {reason(error)}") from error


def output(path: str, option: str = "-o") -> Path:
    """A file that is to be written, refused before any work is done when it cannot be."""
    if path == "-":
        raise Refusal(f"{option} -: name a file, since this is not written to standard output")
    target = Path(path)
    found = is_there(target, f"{option} {path[:80]}")
    if found and target.is_dir():
        raise Refusal(f"{option} {path}: that is a folder, not a file")
    if not target.absolute().parent.is_dir():
        raise Refusal(f"{option} {path}: there is no folder {target.absolute().parent}")
    if not found:
        check_place(target.absolute().parent, f"{option} {path}")
    elif not os.access(target, os.W_OK):
        raise Refusal(f"{option} {path}: that file may not be written")
    return target


def check_other(target: Path, source: str, option: str) -> None:
    """Refuse an output that is a file which is read."""
    if target.exists() and os.path.exists(source) and target.samefile(source):
        raise Refusal(f"{option}: that is the file that is read; name another one")
