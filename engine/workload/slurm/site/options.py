"""General options of slurm.conf as parameters of the algorithm `slurm`, and those that the model has not.

Rule for the rest: an option whose name is in NOT_BEARING, or of the form DROPPED (addresses, ports, paths, logs,
programs, authentication, transport of accounting, process tracking, time-outs of daemons), has no part in which job
starts when and where, and is dropped; every other one is named, unless it has a value of NEUTRAL, at which it does
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shadowtime.engine.workload.slurm.site.conf import Conf, Option
from shadowtime.engine.workload.slurm.site.text import Notes, amounts, is_set, number_at, time_at

MOST = 1e9
WEIGHT = 2**32 - 1
Reader = Callable[[Option], Any]


def whole(low: int, high: int) -> Reader:
    """Return the reader of a whole number."""
    return lambda option: int(number_at(option.place, option.name, option.value, low, high, whole=True))


def number(low: float, high: float, factor: float = 1.0) -> Reader:
    """Return the reader of a number of units of `factor`."""
    return lambda option: factor * number_at(option.place, option.name, option.value, low, high)


def time(*, above: bool = False) -> Reader:
    """Return the reader of a time."""
    return lambda option: time_at(option.place, option.name, option.value, above=above)


def flag(option: Option) -> bool:
    """Return YES or NO as true or false."""
    if option.value.lower() not in ("yes", "no", "1", "0"):
        raise option.place.wrong(option.name, option.value, "YES or NO")
    return option.value.lower() in ("yes", "1")


READ: dict[str, tuple[str, Reader]] = {
    "priorityweightage": ("weight_age", number(0, WEIGHT)),
    "priorityweightfairshare": ("weight_fair_share", number(0, WEIGHT)),
    "priorityweightjobsize": ("weight_job_size", number(0, WEIGHT)),
    "priorityweightpartition": ("weight_partition", number(0, WEIGHT)),
    "priorityweightqos": ("weight_qos", number(0, WEIGHT)),
    "prioritymaxage": ("max_age", time(above=True)),
    "prioritydecayhalflife": ("half_life", time()),
    "prioritycalcperiod": ("calc_period", time(above=True)),
    "priorityfavorsmall": ("favor_small", flag),
    "killwait": ("kill_wait", number(0, 65_533)),
}
"""Options that are parameters: name of the parameter, and the reader of the value."""
SCHEDULER: dict[str, tuple[str, Reader]] = {
    "sched_interval": ("sched_interval", number(1, MOST)),
    "batch_sched_delay": ("batch_sched_delay", number(0, MOST)),
    "default_queue_depth": ("default_queue_depth", whole(1, 1_000_000)),
    "bf_interval": ("bf_interval", number(1, MOST)),
    "bf_window": ("bf_window", number(1, 1e6)),
    "bf_resolution": ("bf_resolution", number(1, MOST)),
    "bf_max_job_test": ("bf_max_job_test", whole(1, 1_000_000)),
    "bf_max_job_user": ("bf_max_job_user", whole(0, 1_000_000)),
}
"""SchedulerParameters that are parameters."""
UNNAMED = frozenset({"bf_continue", "sched_min_interval"})
"""SchedulerParameters that matter only for passes that take time: those of the model take none."""
TRES = {"cpu": "weight_cpu", "mem": "weight_memory", "gres/gpu": "weight_gpu"}
FLAGS: dict[str, tuple[str, Any]] = {
    "accrue_always": ("accrue_always", True),
    "small_relative_to_time": ("size_relative_to_time", True),
    "fair_tree": ("fair_share", "tree"),
    "no_fair_tree": ("fair_share", "classic"),
}
"""PriorityFlags that are parameters."""
ELSEWHERE = frozenset({
    "prioritytype", "priorityflags", "priorityweighttres", "schedulerparameters", "schedulertype", "selecttype",
    "selecttypeparameters", "clustername", "accountingstorageenforce",
})  # fmt: skip
NEUTRAL: dict[str, tuple[str, ...]] = {
    "preemptmode": ("off",), "preempttype": ("preempt/none",), "preemptexempttime": ("00:00:00", "-1", "none"),
    "topologyplugin": ("topology/none", "topology/default", "topology/flat"), "fairsharedampeningfactor": ("1",),
    "priorityusageresetperiod": ("none",), "priorityweightassoc": ("0",), "burstbuffertype": ("burst_buffer/none",),
    "defmempercpu": ("unlimited", "0"), "defmempernode": ("unlimited", "0"), "maxmempercpu": ("unlimited", "0"),
    "maxmempernode": ("unlimited", "0"), "completewait": ("0",), "suspendtime": ("infinite", "none", "-1"),
    "resvoverrun": ("0",), "jobrequeue": ("1",), "mcsplugin": ("mcs/none",), "vsizefactor": ("0",),
    "overtimelimit": ("0", "0 min"),
}  # fmt: skip
"""Options that bear on scheduling and that the model has not, with the values at which they do nothing."""
NAMED = frozenset({
    *NEUTRAL, "preemptparameters", "topologyparam", "jobsubmitplugins", "prioritysitefactorplugin",
    "prioritysitefactorparameters", "priorityparameters", "licenses", "federationparameters", "dependencyparameters",
    "jobdefaults", "mcsparameters",
})  # fmt: skip
NOT_BEARING = frozenset({
    "accountingstoragetres", "accountingstoreflags", "accountingstorageparameters", "accountingstoragetype",
    "allowspecresourcesusage", "authtype", "authinfo", "batchstarttimeout", "boot_time", "bcastparameters",
    "communicationparameters", "corespecplugin", "cpufreqdef", "cpufreqgovernors", "gpufreqdef", "credtype",
    "cryptotype", "disablerootjobs", "enforcepartlimits", "epilogmsgtime", "fastschedule", "cachegroups",
    "firstjobid", "maxjobid", "next_job_id", "maxarraysize", "maxjobcount", "maxnodecount", "maxstepcount",
    "maxtaskspernode", "maxdbdmsgs", "maxbatchrequeue", "getenvtimeout", "grestypes", "groupupdateforce",
    "groupupdatetime", "hash_val", "inactivelimit", "interactivestepoptions", "jobfileappend", "killonbadexit",
    "launchparameters", "launchtype", "minjobage", "mpidefault", "mpiparams", "multiple_slurmd", "powerparameters",
    "prepparameters", "prepplugins", "privatedata", "proctracktype", "prologflags", "propagateprioprocess",
    "propagateresourcelimits", "propagateresourcelimitsexcept", "reconfigflags", "requeueexit", "requeueexithold",
    "resumerate", "suspendrate", "suspendexcnodes", "suspendexcparts", "suspendexcstates", "returntoservice",
    "schedulertimeslice", "scronparameters", "slurm_conf", "slurm_version", "slurmctldparameters", "slurmdparameters",
    "switchtype", "switchparameters", "taskplugin", "taskpluginparam", "tmpfs", "trackwckey", "treewidth", "usepam",
    "waittime", "x11parameters", "resumefailprogram", "certmgrtype", "certmgrparameters", "hashplugin",
    "datafederation", "namespacetype", "tlstype", "tlsparameters", "tlsplugin", "bcastexclude",
    "statesavelocation", "controlmachine", "backupcontroller", "accountingstorageuser",
})  # fmt: skip
DROPPED = re.compile(
    r".*(?:host|addr|port|portrange|file|dir|log|loglevel|logfile|debug|syslogdebug|user|pass|program|prog|prolog|epilog|"
    r"timeout|plugstack|plugstackconfig|prologslurmctld|epilogslurmctld|domain|loc|logtimeformat)"
    r"|(?:acctgather|jobacctgather|jobcomp|jobcontainer|jobcredential|healthcheck|extsensors|energy|auth|cgroup|cli|"
    r"nodefeatures|power|route|mail|sbcast|srun|slurmctld|slurmd|unkillablestep|accountingstorage|gres|"
    r"controladdr|backup|proctrack|sallocdefault).*"
)
MEMORY = re.compile(r"CR_(?:CPU_|CORE_|SOCKET_)?MEMORY")
UNITS = frozenset({"CR_CPU", "CR_CORE", "CR_CPU_MEMORY", "CR_CORE_MEMORY", "NONE"})
"""SelectTypeParameters with which cores are allocated one by one, as in the model."""
ENFORCING = frozenset({"limits", "safe", "all"})


@dataclass(frozen=True)
class General:
    """What the general options say."""

    parameters: dict[str, Any]
    tracks_memory: bool
    whole_nodes: bool
    enforces_limits: bool
    cluster: str
    """Name of the cluster; "" where not stated."""


def read_options(conf: Conf, notes: Notes) -> General:
    """Return what the general options of a configuration say; InvalidWorkload for a value that breaks its rule."""
    options, parameters = conf.options, dict[str, Any]()
    for name, (parameter, reader) in READ.items():
        if name in options:
            parameters[parameter] = reader(options[name])
    _flags(options.get("priorityflags"), parameters, notes)
    _tres(options.get("priorityweighttres"), parameters, notes)
    _scheduler(options.get("schedulerparameters"), parameters, notes)
    if _choice(options.get("schedulertype"), ("sched/backfill", "sched/builtin")) == "sched/builtin":
        parameters["backfill_loop"] = False
    if _choice(options.get("prioritytype"), ("priority/multifactor", "priority/basic")) == "priority/basic":
        notes.assume("PriorityType=priority/basic: all weights are 0, jobs run in order of submission.")
        names = [name for name, _ in READ.values()] + list(TRES.values())
        parameters |= {name: 0.0 for name in names if name.startswith("weight_")}
    tracks_memory, whole_nodes = _select(options, notes)
    enforced = options.get("accountingstorageenforce")
    for name, option in options.items():
        if name not in READ and name not in ELSEWHERE:
            _note(name, option, notes)
    return General(
        parameters=parameters,
        tracks_memory=tracks_memory,
        whole_nodes=whole_nodes,
        enforces_limits=bool(enforced and ENFORCING & set(enforced.value.lower().split(","))),
        cluster=options["clustername"].value if "clustername" in options else "",
    )


def _note(name: str, option: Option, notes: Notes) -> None:
    value = option.value.strip()
    if not is_set(value) or value.lower() in NEUTRAL.get(name, ()):
        return
    if name in NAMED or not (name in NOT_BEARING or DROPPED.fullmatch(name)):
        notes.ignore(f"{option.name}={value}")


def _choice(option: Option | None, choices: tuple[str, ...]) -> str:
    if option is None:
        return ""
    if option.value.lower() not in choices:
        raise option.place.wrong(option.name, option.value, f"one of {', '.join(choices)}")
    return option.value.lower()


def _flags(option: Option | None, parameters: dict[str, Any], notes: Notes) -> None:
    for one in option.value.split(",") if option else ():
        word = one.strip().lower()
        if word in FLAGS:
            name, value = FLAGS[word]
            parameters[name] = value
        elif word:
            notes.ignore(f"PriorityFlags={one.strip()}")


def _tres(option: Option | None, parameters: dict[str, Any], notes: Notes) -> None:
    for name, value in amounts(option.value).items() if option else ():
        if name in TRES:
            assert option is not None
            parameters[TRES[name]] = number_at(option.place, f"{option.name}: {name}", value, 0, WEIGHT)
        else:
            notes.ignore(f"PriorityWeightTRES={name}")


def _scheduler(option: Option | None, parameters: dict[str, Any], notes: Notes) -> None:
    for one in option.value.split(",") if option else ():
        assert option is not None
        name, sign, value = (part.strip() for part in one.partition("="))
        word = name.lower()
        if word == "bf_interval" and value == "-1":
            parameters["backfill_loop"] = False
        elif word in SCHEDULER and value != "-1":
            parameter, reader = SCHEDULER[word]
            parameters[parameter] = reader(Option(option.place, f"{option.name}: {name}", value))
        elif word == "defer":
            parameters["defer"] = True
        elif word and word not in UNNAMED:
            notes.ignore(f"SchedulerParameters={name}{sign}{value}")


def _select(options: dict[str, Option], notes: Notes) -> tuple[bool, bool]:
    """Return whether memory is a resource, and whether jobs hold whole nodes."""
    choices = ("select/cons_tres", "select/cons_res", "select/linear")
    kind = _choice(options.get("selecttype"), choices)
    if not kind:
        notes.assume("No SelectType: jobs share nodes, core by core (select/cons_tres).")
    given = options.get("selecttypeparameters")
    words = {word.strip().upper() for word in given.value.split(",")} - {""} if given else set[str]()
    tracks = any(MEMORY.fullmatch(word) for word in words)
    if not given and kind != "select/linear":
        notes.assume("No SelectTypeParameters: memory is no resource.")
    for word in sorted(words - UNITS - ({"CR_MEMORY"} if kind == "select/linear" else set())):
        notes.ignore(f"SelectTypeParameters={word}")
    return tracks, kind == "select/linear"
