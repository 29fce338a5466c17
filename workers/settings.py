"""Read the settings of an installation from the environment."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import field, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers import private_redis
from shadowtime.workers.units import GIGABYTE, MEGABYTE

HOME = Path(os.path.expanduser("~/.local/share/shadowtime"))
"""Begins with ~ for a user without a home folder."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine as seen from itself."""
EVERYBODY = "*"
MOST_PORT = 65535


def Must(rule: str, **limits: Any) -> Any:
    """Return a field whose refusal reads `VARIABLE = 'text', but it must <rule>`."""
    return Field(description=rule, **limits)


def _split(text: Any) -> Any:
    """Split a list at its commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip()) if isinstance(text, str) else text


def _network(text: str) -> str:
    ipaddress.ip_network(text, strict=False)
    return text


def _with_port(url: str) -> str:
    """Return the URL; ValueError if its port is none."""
    if (found := re.search(r":(\d+)$", url)) and not 0 < int(found[1]) <= MOST_PORT:
        raise ValueError(found[1])
    return url


Count = Annotated[int, BeforeValidator(int), Must("be a whole number, 0 or more", ge=0, lt=2**63)]
Positive = Annotated[int, BeforeValidator(int), Must("be a whole number, 1 or more", ge=1, lt=2**63)]
Days = Annotated[float, Must("be a number of days above 0, at most 100,000", gt=0, le=100_000)]
Niceness = Annotated[int, BeforeValidator(int), Must("be a whole number from 0 to 19", ge=0, le=19)]
Seconds = Annotated[float, Must("be a number of seconds, 1 or more", ge=1, lt=2**63)]
Folder = Annotated[Path, AfterValidator(lambda path: Path(os.path.expanduser(path)).resolve())]
Bucket = Annotated[str, Must("begin with s3://", pattern=r"^(s3://.*)?$")]
Origin = Annotated[str, Field(pattern=r"^https?://[A-Za-z0-9.-]+(:\d{1,5})?$")]
Origins = Annotated[
    tuple[Origin, ...], BeforeValidator(_split), Must("hold origins like https://wiki.example, with commas between")
]
MailServer = Annotated[
    str,
    Must(
        "be like smtp://user:password@host:587 or smtps://host:465",
        pattern=r"^(smtps?://([^@/\s]+@)?[^@/:\s]+(:\d{1,5})?)?$",
    ),
    AfterValidator(_with_port),
]
HostName = Annotated[str, Field(pattern=r"^(\*|[\w.-]+|\[[0-9a-f:.]+\])$")]
Mail = Annotated[str, Must("be an e-mail address", pattern=r"^([^@\s<>,;]+@[A-Za-z0-9.-]+)?$")]
Header = Annotated[str, Must("be the name of a header", pattern=r"^[A-Za-z0-9-]{0,64}$")]
Issuer = Annotated[
    str,
    Must(
        "be a URL that begins with https://, or with http:// and an address of this machine",
        pattern=r"^((https://|http://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?(/|$))[^\s?#]*)?$",
    ),
]
Names = Annotated[tuple[str, ...], BeforeValidator(_split)]
Networks = Annotated[
    tuple[Annotated[str, AfterValidator(_network)], ...],
    BeforeValidator(_split),
    Must("hold addresses and networks like 10.0.0.0/8"),
]
Lower = BeforeValidator(str.lower)
YesNo = Annotated[bool, Must("be 1 or 0")]
VARIABLES = {
    "redis_url": "REDIS_URL",
    "max_sweep_runs": "SHADOWTIME_SWEEP_RUNS",
    "max_sweep_jobs": "SHADOWTIME_SWEEP_JOBS",
}
"""Names of fields whose variable is not SHADOWTIME_ and the field in capitals."""


@dataclass(frozen=True)
class Settings:
    """All settings with their defaults; `Settings.from_environment()` reads those that are set."""

    store: Folder = HOME
    """SHADOWTIME_STORE: folder of records and blobs, unless the next two name other places; and of copies."""
    database: str = ""
    """SHADOWTIME_DATABASE: URL of the database of all records; empty = SQLite in the store."""
    blobs: Bucket = ""
    """SHADOWTIME_BLOBS: `s3://bucket/prefix` for sources and tables; empty = the folder `blobs` of the store."""
    blob_cache: Count = 10 * GIGABYTE
    """SHADOWTIME_BLOB_CACHE: bytes of copies from the bucket that the store's folder holds; 0 = any number."""
    redis_url: str = "redis://127.0.0.1:6379/0"
    """REDIS_URL: the queue's server; when not set, the private one that `shadowtime up` started for this store."""
    redis_given: bool = False
    """REDIS_URL was set: the server is managed elsewhere, unless it is on this machine and does not answer."""
    max_upload: Positive = 200 * MEGABYTE
    """SHADOWTIME_MAX_UPLOAD: bytes of an uploaded file."""
    max_unpacked: Positive = 2 * GIGABYTE
    """SHADOWTIME_MAX_UNPACKED: bytes of an uploaded file after decompression."""
    run_timeout: Seconds = 3600.0
    """SHADOWTIME_RUN_TIMEOUT: seconds that a run may take."""
    run_memory: Count = 8 * GIGABYTE
    """SHADOWTIME_RUN_MEMORY: bytes that a run may allocate; 0 = no limit."""
    idle_end: Count = 0
    """SHADOWTIME_IDLE_END: seconds without work after which a worker ends; 0 = never."""
    nice: Niceness = 10
    """SHADOWTIME_NICE: niceness of workers, so that the web process goes first on the same processors; 0 = none."""
    max_segments: Count = 100_000_000
    """SHADOWTIME_MAX_SEGMENTS: rectangles of a run that are kept; 0 = any number."""
    max_queued: Count = 500
    """SHADOWTIME_MAX_QUEUED: unfinished runs of one client; 0 = any number."""
    max_queued_site: Count = 5000
    """SHADOWTIME_MAX_QUEUED_SITE: unfinished runs of all clients together; 0 = any number."""
    max_jobs: Count = 100_000_000
    """SHADOWTIME_MAX_JOBS: jobs in unfinished runs of one client; 0 = any number."""
    max_jobs_site: Count = 500_000_000
    """SHADOWTIME_MAX_JOBS_SITE: jobs in all unfinished runs; 0 = any number."""
    max_urgent: Count = 20
    """SHADOWTIME_MAX_URGENT: unfinished runs of one client with the priority `high`; 0 = any number."""
    max_uploads: Count = 240
    """SHADOWTIME_MAX_UPLOADS: workloads that one client may send or draw in a minute; 0 = any number."""
    max_uploads_site: Count = 30
    """SHADOWTIME_MAX_UPLOADS_SITE: uploads of all clients at a time; 0 = any number."""
    max_streams: Count = 20
    """SHADOWTIME_MAX_STREAMS: live streams of one client at a time; 0 = any number."""
    max_sweep_runs: Positive = 100_000
    """SHADOWTIME_SWEEP_RUNS: runs that a sweep may have."""
    max_sweep_jobs: Count = 10_000_000_000
    """SHADOWTIME_SWEEP_JOBS: jobs that all runs of a sweep may have together; 0 = any number."""
    max_sweeps: Count = 20
    """SHADOWTIME_MAX_SWEEPS: unfinished sweeps of one client; 0 = any number."""
    max_sweeps_site: Count = 200
    """SHADOWTIME_MAX_SWEEPS_SITE: unfinished sweeps of all clients together; 0 = any number."""
    token: str = field(default="", repr=False)
    """SHADOWTIME_TOKEN: the token that queueing, cancelling, deleting and uploading require; empty = none."""
    session_days: Days = 30.0
    """SHADOWTIME_SESSION_DAYS: days after which a browser has to sign in again."""
    session_idle_days: Days = 7.0
    """SHADOWTIME_SESSION_IDLE_DAYS: days without a request after which a browser has to sign in again."""
    require_token: YesNo = False
    """SHADOWTIME_REQUIRE_TOKEN: writing needs a token of `shadowtime token create`, also without SHADOWTIME_TOKEN."""
    oidc_issuer: Issuer = ""
    """SHADOWTIME_OIDC_ISSUER: URL of the OpenID Connect provider whose persons may sign in; empty = none."""
    oidc_client_id: str = ""
    """SHADOWTIME_OIDC_CLIENT_ID: the name under which the provider knows this server."""
    oidc_client_secret: str = field(default="", repr=False)
    """SHADOWTIME_OIDC_CLIENT_SECRET: the secret of that name; empty = a public client."""
    oidc_scopes: Annotated[str, Must("hold openid, with blanks between", pattern=r"(^| )openid( |$)")] = (
        "openid profile"
    )
    """SHADOWTIME_OIDC_SCOPES: scopes that are requested of the provider."""
    oidc_name_claim: str = "preferred_username"
    """SHADOWTIME_OIDC_NAME_CLAIM: the claim of the identity token that names the person."""
    oidc_groups_claim: str = "groups"
    """SHADOWTIME_OIDC_GROUPS_CLAIM: the claim of the identity token that names the person's groups."""
    user_header: Header = ""
    """SHADOWTIME_USER_HEADER: the header in which a trusted proxy names its user; empty = users have no names."""
    groups_header: Header = ""
    """SHADOWTIME_GROUPS_HEADER: the header in which a trusted proxy names its user's groups, with commas between."""
    proxies: Networks = ()
    """SHADOWTIME_PROXIES: addresses and networks whose headers about their client are trusted."""
    editors: Names = (EVERYBODY,)
    """SHADOWTIME_EDITORS: users of the proxy who may write; `*` = all users. The others may read."""
    hosts: Annotated[tuple[HostName, ...], Must("hold host names like lab.example, with commas between")] = LOOPBACK
    """SHADOWTIME_HOSTS: host names that requests to this server may use; none = any name."""

    embed_origins: Origins = ()
    """SHADOWTIME_EMBED_ORIGINS: origins whose pages may show `?embed=1` views in a frame; none = no page may."""

    notice_secret: str = field(default="", repr=False)
    """SHADOWTIME_NOTICE_SECRET: the key that signs webhooks; empty = none are sent."""
    notice_private: Networks = ()
    """SHADOWTIME_NOTICE_PRIVATE: addresses and networks that webhooks may reach although they are not public."""
    notice_smtp: MailServer = field(default="", repr=False)
    """SHADOWTIME_NOTICE_SMTP: URL of the mail server for notices; empty = no e-mail is sent."""
    notice_from: Mail = ""
    """SHADOWTIME_NOTICE_FROM: the address from which notices are sent."""
    max_notices: Count = 100
    """SHADOWTIME_MAX_NOTICES: notices that one person may ask for in 24 h; 0 = any number."""

    derived: Annotated[Literal["memory", "redis"], Lower, Must("be one of memory, redis")] = "memory"
    """SHADOWTIME_DERIVED: cache for figures of finished runs, `memory` or (for several web processes) `redis`."""

    audit: Folder | None = None
    """SHADOWTIME_AUDIT: the file of the audit log; None = the database."""

    log: Annotated[Literal["text", "json"], Lower, Must("be one of text, json")] = "text"
    """SHADOWTIME_LOG: format of logs, `text` for people or `json`, one object a line."""

    @property
    def access(self) -> str:
        """Return how write access is checked: `proxy`, `token`, or `open` when every client may write."""
        if self.user_header:
            return "proxy"
        return "token" if self.token or self.require_token or self.oidc_issuer else "open"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings of this process.

        Raises
        ------
        InvalidParameter
            For a value that is none, naming the variable and the rule.
        """
        given = os.environ if environment is None else environment
        texts = {one.name: given.get(_variable(one.name), "").strip() for one in fields(cls)}
        values: dict[str, Any] = {
            name: text for name, text in texts.items() if text and name not in ("hosts", "redis_given")
        }
        try:
            read = cls(**values, hosts=_hosts(given), redis_given="redis_url" in values)
        except ValidationError as error:
            found = error.errors()[0]
            name = str(found["loc"][0])
            rule = TypeAdapter(cls).json_schema()["properties"][name]["description"]
            is_secret = not next(one for one in fields(cls) if one.name == name).repr
            given_value = "has a value that is not shown" if is_secret else f"= {str(found['input'])[:80]!r}"
            raise InvalidParameter(f"{_variable(name)} {given_value}, but it must {rule}") from None
        if str(read.store).startswith("~"):
            raise InvalidParameter("SHADOWTIME_STORE must name a folder for the store: this user has no home folder")
        if read.notice_smtp and not read.notice_from:
            raise InvalidParameter(
                "SHADOWTIME_NOTICE_SMTP is set, but not SHADOWTIME_NOTICE_FROM, the address of the sender"
            )
        if read.oidc_issuer and not read.oidc_client_id:
            raise InvalidParameter("SHADOWTIME_OIDC_ISSUER is set, but not SHADOWTIME_OIDC_CLIENT_ID, our name there")
        if read.oidc_issuer and read.user_header:
            raise InvalidParameter(
                "SHADOWTIME_OIDC_ISSUER and SHADOWTIME_USER_HEADER are both set, but one of them names the users"
            )
        if read.groups_header and not read.user_header:
            raise InvalidParameter(
                "SHADOWTIME_GROUPS_HEADER is set, but not SHADOWTIME_USER_HEADER, which names whose groups they are"
            )
        if read.user_header and not read.proxies:
            raise InvalidParameter(
                "SHADOWTIME_USER_HEADER is set, but not SHADOWTIME_PROXIES, the addresses from which it is believed"
            )
        return (
            read if read.redis_given else replace(read, redis_url=private_redis.running(read.store) or read.redis_url)
        )


def _variable(field: str) -> str:
    return VARIABLES.get(field, f"SHADOWTIME_{field.upper()}")


def _hosts(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the host names that are set; else those of this machine if it listens on the loopback, or any."""
    named = _split(given.get("SHADOWTIME_HOSTS", "").lower())
    if named:
        return () if EVERYBODY in named else (*LOOPBACK, *named)
    return LOOPBACK if listens_alone(given.get("HOST") or LOOPBACK[1]) else ()


def listens_alone(host: str) -> bool:
    """Return whether a server at this address is reached from this machine only."""
    return host in (*LOOPBACK, "::1") or host.startswith("127.")


def environment_of(settings: Settings) -> dict[str, str]:
    """Return the variables by which a child process finds the store, the queue and the blobs of `settings`."""
    return {
        "SHADOWTIME_STORE": str(settings.store),
        "SHADOWTIME_DATABASE": settings.database,
        "SHADOWTIME_BLOBS": settings.blobs,
        "SHADOWTIME_BLOB_CACHE": str(settings.blob_cache),
        "REDIS_URL": settings.redis_url,
    }
