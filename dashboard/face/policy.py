"""A policy of one's own: a class with `decide(desk)`, used as it is or registered under a name."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from shadowtime.engine import registry
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Parameter
from shadowtime.engine.runner.makers import Maker, Scripted

if TYPE_CHECKING:
    from shadowtime.engine.desk import Desk
    from shadowtime.engine.workload.job import Workload

FAMILY = "own"


class Policy:
    """Base of a policy of one's own: override `decide`, which is called once at every instant with events.

    An object keeps its attributes from run to run: `prepare(workload)`, called once before each run, is where it resets
    them. A class, or a registered name, gives each run a new object.

    The simulator moves time and work and checks every decision; the policy reads the desk and acts by `place`, `pause`,
    `kill`, `reject` and `wake`. A policy may also have `physics(desk)`, called after each decision, when rates follow
    from placement.

    Attributes
    ----------
    exclusive
        True: a lane holds one process; False: lanes hold shares.
    clairvoyant
        True: `desk.runtime` may be read.
    kinds
        Kinds of workload that it takes, where it is registered.
    parameters
        Typed parameters of `__init__`, where it is registered (`shadowtime.engine.parameters`).

    Examples
    --------
    >>> import shadowtime as st
    >>> class Fcfs(st.Policy):
    ...     def decide(self, desk):
    ...         for job in list(desk.waiting):
    ...             free = desk.free_lanes()
    ...             if desk.size(job) > len(free):
    ...                 return
    ...             desk.place(job, free[: desk.size(job)])
    >>> workload = st.generate("uniform", {"jobs": 50}, seed=1)
    >>> own, ours = st.simulate(workload, Fcfs()), st.simulate(workload, "fcfs")
    >>> own.jobs["start"].tolist() == ours.jobs["start"].tolist()
    True
    """

    exclusive = True
    clairvoyant = False
    kinds: tuple[str, ...] = ("rigid",)
    parameters: tuple[Parameter, ...] = ()

    def prepare(self, workload: Workload) -> None:
        """Prepare for a run, and reset what an earlier run left; called once before each run."""

    def decide(self, desk: Desk) -> None:
        """Act at one instant: `desk.waiting`, `desk.running` and `desk.ended` hold the jobs.

        Raises
        ------
        NotImplementedError
            Where a subclass does not override it.
        """
        raise NotImplementedError(f"{type(self).__name__} has no decide(desk)")


def register(algorithm: Algorithm | type, slug: str | None = None, *, source: str = "") -> Any:
    """Register an algorithm, or a policy class under a name, for `simulate`, `compare` and `sweep` of this process.

    Parameters
    ----------
    algorithm
        An `Algorithm`, or a class with `decide(desk)`; its docstring's first line becomes the summary. Its parameters
        are those of `Policy.parameters`, handed to `__init__`.
    slug
        Name of a policy class: lower case letters, digits and hyphens. A class of the same module and name replaces the
        one registered before it, so that a cell of a notebook can be run again.
    source
        Its paper, if it has one.

    Returns
    -------
    What was given.

    Raises
    ------
    InvalidParameter
        For a name that is taken or cannot be one, kinds of jobs that do not exist, and a default out of its range.

    Examples
    --------
    >>> import shadowtime as st
    >>> class Largest(st.Policy):
    ...     \"\"\"Start the widest job that fits.\"\"\"
    ...     def decide(self, desk):
    ...         for job in sorted(desk.waiting, key=desk.size, reverse=True):
    ...             free = desk.free_lanes()
    ...             if desk.size(job) <= len(free):
    ...                 desk.place(job, free[: desk.size(job)])
    >>> _ = st.register(Largest, "largest-first")
    >>> st.simulate(st.generate("uniform", {"jobs": 50}, seed=1), "largest-first").algorithm
    'largest-first'
    """
    if isinstance(algorithm, Algorithm):
        return _added(algorithm)
    if not (isinstance(algorithm, type) and callable(getattr(algorithm, "decide", None))):
        raise InvalidParameter("register takes an Algorithm or a class with decide(desk)")
    if not (isinstance(slug, str) and slug and slug == slug.lower() and slug.replace("-", "a").isalnum()):
        raise InvalidParameter(f"slug = {str(slug)[:40]!r}, but it must be lower case letters, digits and hyphens")
    _check_traits(algorithm)
    names = [parameter.name for parameter in getattr(algorithm, "parameters", ())]
    _check_init(algorithm, dict.fromkeys(names), "its `parameters` must list what __init__ takes")
    _added(entry_of(algorithm, slug, source))
    return algorithm


def entry_of(policy: type, slug: str, source: str = "") -> Algorithm:
    """Return the registry's entry of a policy class.

    Examples
    --------
    >>> import shadowtime as st
    >>> from shadowtime.dashboard.face.policy import entry_of
    >>> entry_of(st.Policy, "mine").kinds
    ('rigid',)
    """
    lines = (policy.__doc__ or "").strip().splitlines()
    return Algorithm(
        slug=slug, family=FAMILY, title=policy.__name__, summary=(lines[0] if lines else policy.__name__).rstrip("."),
        source=source, kinds=tuple(getattr(policy, "kinds", ("rigid",))),
        parameters=tuple(getattr(policy, "parameters", ())), 
        clairvoyant=bool(getattr(policy, "clairvoyant", False)),
        runner=Scripted(policy, exclusive=bool(getattr(policy, "exclusive", True))),
    )  # fmt: skip


def chosen(algorithm: Any, parameters: Mapping[str, Any] | None) -> Any:
    """Return the name or the policy object of a run; a class is made with its parameters.

    Raises
    ------
    InvalidParameter
        For what is neither a name nor a policy, for parameters that the class does not take, and for parameters beside
        an object.

    Examples
    --------
    >>> from shadowtime.dashboard.face.policy import chosen
    >>> chosen("easy", None)
    'easy'
    """
    if isinstance(algorithm, str):
        return algorithm
    if not callable(getattr(algorithm, "decide", None)):
        raise InvalidParameter(
            f"algorithm = {str(algorithm)[:40]!r}, but it must be a name of st.algorithms(), or a policy: an object or "
            "a class with decide(desk)"
        )
    if not isinstance(algorithm, type):
        if parameters:
            raise InvalidParameter(
                f"parameters = {str(dict(parameters))[:60]}, but {type(algorithm).__name__} is given as an object, "
                "which has its values already: parameters go with a class or a name"
            )
        return algorithm
    given = dict(parameters or {})
    _check_init(algorithm, given, "give them as parameters, or make the object yourself")
    return algorithm(**given)


def _check_traits(policy: type) -> None:
    """Refuse kinds of jobs that do not exist, and parameters with a default out of their range."""
    kinds, parameters = getattr(policy, "kinds", ("rigid",)), getattr(policy, "parameters", ())
    known = registry.families()
    is_list = isinstance(kinds, Collection) and not isinstance(kinds, str) and len(kinds) > 0
    if not (is_list and all(isinstance(one, str) and one in known for one in kinds)):
        raise InvalidParameter(
            f"{policy.__name__}: kinds = {repr(kinds)[:60]}, but it must be a tuple of {', '.join(known)}, such as "
            "('rigid',)"
        )
    for one in parameters:
        if not isinstance(one, Parameter):
            raise InvalidParameter(
                f"{policy.__name__}: parameters has {str(one)[:40]!r}, but each must be a Whole, Real, Choice, Flag or "
                "Text of shadowtime.engine.parameters"
            )
        if one.default is not None:
            one.check(one.default, f"{policy.__name__}, default")


def _check_init(policy: type, given: Mapping[str, Any], advice: str) -> None:
    """Refuse arguments that `__init__` of a policy does not take; its own errors pass through."""
    try:
        inspect.signature(policy).bind(**given)
    except TypeError as error:
        names = ", ".join(given) or "no arguments"
        raise InvalidParameter(f"{policy.__name__} cannot be made with {names} ({error}): {advice}") from None
    except ValueError:  # a class of compiled code has no signature
        return


def own_algorithms(slugs: set[str]) -> tuple[Algorithm, ...]:
    """Return those of the algorithms that `register` added, for processes that do not have them.

    Examples
    --------
    >>> from shadowtime.dashboard.face.policy import own_algorithms
    >>> own_algorithms({"easy"})
    ()
    """
    return tuple(entry for slug in sorted(slugs) if (entry := registry.find(slug)).family == FAMILY)


def _added(entry: Algorithm) -> Algorithm:
    known = registry.algorithms(variants=True).get(entry.slug)
    if known is not None and not _same(known.runner, entry.runner):
        raise InvalidParameter(f"there is an algorithm {entry.slug!r} already: {known.title}")
    return registry.register(entry, replace=known is not None)


def _same(known: Maker, new: Maker) -> bool:
    """Whether both make the same class, or an older and a newer definition of it."""
    if not (isinstance(known, Scripted) and isinstance(new, Scripted)):
        return False
    names = [(each.policy.__module__, getattr(each.policy, "__qualname__", "")) for each in (known, new)]
    return names[0] == names[1]
