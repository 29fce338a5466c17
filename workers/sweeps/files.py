"""Find the workload files of a sweep on this machine, by their digests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from shadowtime.engine.errors import InvalidPlatform, InvalidWorkload
from shadowtime.engine.platform import Platform, advise
from shadowtime.engine.registry import generators
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.references import splits
from shadowtime.engine.workload.samples import named_sample, samples
from shadowtime.workers.errors import NotFound
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import is_store, store_of
from shadowtime.workers.sweeps.reading import SweepQuestion


class Files:
    """Find workloads beside the sweep's file, among the samples or in the store; load them once in each process."""

    def __init__(self, folders: Sequence[Path], settings: Settings):
        """Search the `folders` in order; then the store, if there is one, for uploaded files."""
        self._folders = folders
        self._settings = settings
        self._read: dict[tuple[str, str | None], Workload] = {}

    def find(self, text: str, digest: str | None) -> tuple[Mapping[str, Any], str]:
        """Return identity and kind of a file (`log.swf`, `instances.json#name`), a sample or a stored workload.

        Raises
        ------
        InvalidWorkload
            When there is none, or when it is not the one of that `digest`.
        """
        path, case = self._file(text)
        sample = named_sample(text) if path is None else None
        if sample is not None and digest in (None, sample[0].digest):
            workload = sample[0].read(sample[1])
        elif path is not None:
            with path.open("rb") as stream:
                workload = read(stream, path.name, case)
        else:
            workload = self._stored(text, digest)
        source = dict(workload.source)
        if digest is not None and source.get("digest") != digest:
            raise InvalidWorkload(
                f"{text[:80]!r} is not the file that the sweep was made from: its SHA-256 is "
                f"{str(source.get('digest'))[:16]}..., not {digest[:16]}..."
            )
        if "digest" in source:
            self._read[source["digest"], source["case"]] = workload
        return source, workload.kind

    def load(self, source: Mapping[str, Any]) -> Workload:
        """Load the workload of a run."""
        if "generator" in source:
            return generate(source["generator"], source["parameters"], source["seed"])
        return self._read[source["digest"], source["case"]]

    def _file(self, text: str) -> tuple[Path | None, str | None]:
        for folder in self._folders:
            if (folder / text).is_file():
                return folder / text, None
            for name, case in splits(text):
                if (folder / name).is_file():
                    return folder / name, case
        return None, None

    def _stored(self, text: str, digest: str | None) -> Workload:
        """Load a workload of the store, by its digest or its id."""
        name, _, case = text.partition("#")
        if self._settings.database or is_store(self._settings.store):
            store = store_of(self._settings)
            for reference in (digest, name):
                try:
                    return store.workloads.load(store.workloads.get(reference or "").digest, case or None)
                except NotFound:
                    continue
        raise InvalidWorkload(no_workload(text))


def check_machines(asked: SweepQuestion, load: Callable[[Mapping[str, Any]], Workload], how: str) -> None:
    """Refuse a file that does not state the size of its machine, where neither the sweep nor a conversion does.

    Raises
    ------
    InvalidPlatform
        Naming the file, and `how` the size is given.
    """
    if asked.spec.platform or asked.spec.conversions:
        return
    for name, source in zip(asked.workloads, asked.spec.workloads, strict=True):
        if "generator" in source:
            continue
        try:
            Platform.of(load(source))
        except InvalidPlatform as error:
            raise InvalidPlatform(f"{name}: {advise(str(error), how)}") from None


def no_workload(text: str) -> str:
    """Return the sentence on a text that names no workload, with the names that there are."""
    known = f"generators: {', '.join(generators())}; samples: {', '.join(samples())}"
    return f"there is no file {text[:80]!r} and no generator of that name; {known}"
