"""Speak the S3 protocol: the requests that blobs need, signed with AWS Signature Version 4.

It holds no thread and no connection that a forked child would inherit: workers fork for each run, and the threads of
other clients (obstore, s3fs) do not survive a fork.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import time
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from urllib.parse import quote, urlsplit
from urllib.request import getproxies, proxy_bypass

from urllib3 import BaseHTTPResponse, PoolManager, ProxyManager, Retry, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NameResolutionError,
    NewConnectionError,
    ReadTimeoutError,
    SSLError,
)

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.records.blobs import BlobsAway

CONNECT, ANSWER, JOIN = 3.0, 7.0, 60.0
"""Seconds to wait for a connection, for an answer, and for an answer to the request that joins the parts of an object,
for which AWS documents minutes."""
PAUSES = (0.2, 0.5, 1.3)
"""Seconds between attempts after an error that comes at once. After a timeout there is no other attempt."""
BUSY = (429, 500, 502, 503, 504)
SKEW = timedelta(minutes=1)
"""A request is sent again with the server's time if it is refused and the clocks differ by more; servers accept 15
minutes."""
SENT_AT_ONCE = 1 << 16
PIECE = 1 << 20
CONNECTIONS = 32
URL = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/([\w!.*'()=/-]*))?", re.ASCII)
NOTHING = hashlib.sha256(b"").hexdigest()
_OPEN: weakref.WeakSet[Client] = weakref.WeakSet()


@dataclass(frozen=True)
class Bucket:
    """A bucket, or the part of it below a prefix, and who asks for it."""

    name: str
    prefix: str
    """Empty, or with a slash at its end."""
    endpoint: str
    """URL of the bucket, without a slash at its end."""
    region: str
    key: str
    secret: str = field(repr=False)
    token: str = field(default="", repr=False)

    @classmethod
    def from_url(cls, url: str, given: Mapping[str, str]) -> Bucket:
        """Return the bucket of `s3://bucket/prefix`, with the AWS_* variables in `given`.

        Raises
        ------
        InvalidParameter
            For a text that is no such URL, or without credentials.
        """
        parts = URL.fullmatch(url)
        if parts is None:
            raise InvalidParameter(f"SHADOWTIME_BLOBS = {url[:80]!r}, but it must be a bucket like s3://bucket/prefix")
        missing = [name for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY") if not given.get(name)]
        if missing:
            raise InvalidParameter(f"SHADOWTIME_BLOBS names a bucket, but {' and '.join(missing)} must be set, too")
        name, prefix = parts[1], (parts[2] or "").strip("/")
        region = given.get("AWS_REGION") or given.get("AWS_DEFAULT_REGION") or "us-east-1"
        return cls(
            name=name,
            prefix=f"{prefix}/" if prefix else "",
            endpoint=_endpoint(name, region, given.get("AWS_ENDPOINT_URL_S3") or given.get("AWS_ENDPOINT_URL") or ""),
            region=region,
            key=given["AWS_ACCESS_KEY_ID"],
            secret=given["AWS_SECRET_ACCESS_KEY"],
            token=given.get("AWS_SESSION_TOKEN", ""),
        )


class Client:
    """Requests about the objects of one bucket. Several threads use it at once.

    Every method raises BlobsAway where the server does not answer or refuses.
    """

    def __init__(self, bucket: Bucket):
        self.bucket = bucket
        self._pool = _pool(bucket.endpoint)
        self._ahead = timedelta()
        """How far the server's clock is ahead of this machine's, once it has refused a request for its time."""
        _OPEN.add(self)

    def size(self, name: str) -> int | None:
        """Return the bytes of an object; None when there is none."""
        answer = self._request("HEAD", name)
        if answer.status == 404:
            return None
        return int(self._check(answer).headers.get("Content-Length") or -1)

    def read(self, name: str) -> Iterator[bytes]:
        """Yield the content of an object. After a broken connection it goes on where it was.

        Raises
        ------
        FileNotFoundError
            When there is no such object.
        """
        at, before = 0, -1
        while True:
            answer = self._request("GET", name, more={"Range": f"bytes={at}-"} if at else {}, is_streamed=True)
            try:
                if answer.status == 404 and "NoSuchBucket" not in _text(answer):
                    raise FileNotFoundError(f"there is no object {name[:70]!r} in the bucket {self.bucket.name!r}")
                self._check(answer, (200, 206))
                if at and not answer.headers.get("Content-Range", "").startswith(f"bytes {at}-"):
                    raise BlobsAway(f"the bucket {self.bucket.name!r} cannot be used: its answers break off")
                for piece in answer.stream(PIECE, decode_content=False):
                    at += len(piece)
                    yield piece
                return
            except HTTPError as error:
                if at <= before or _is_late(error):
                    raise self._away(error) from error
                before = at
            finally:
                answer.close()

    def put(self, name: str, content: bytes, digest: str) -> None:
        """Write an object, whose SHA-256 the server compares."""
        self._check(self._request("PUT", name, content=content, digest=digest))

    def begin(self, name: str) -> str:
        """Begin an object that is written in parts; return the id of the upload."""
        return self._field(_text(self._check(self._request("POST", name, {"uploads": ""}))), "UploadId")

    def put_part(self, name: str, upload: str, number: int, content: bytes) -> str:
        """Write a part; return its tag."""
        query, digest = {"partNumber": str(number), "uploadId": upload}, hashlib.sha256(content).hexdigest()
        answer = self._request("PUT", name, query, content=content, digest=digest)
        return self._check(answer).headers.get("ETag", "")

    def join(self, name: str, upload: str, tags: Sequence[str]) -> None:
        """Make the object of its parts."""
        listed = "".join(
            f"<Part><PartNumber>{number}</PartNumber><ETag>{tag}</ETag></Part>" for number, tag in enumerate(tags, 1)
        )
        content = f"<CompleteMultipartUpload>{listed}</CompleteMultipartUpload>".encode()
        digest = hashlib.sha256(content).hexdigest()
        answer = self._request("POST", name, {"uploadId": upload}, content=content, digest=digest, patience=JOIN)
        if "<Error>" in _text(self._check(answer)):  # the status is sent before the server knows
            raise self._refused(answer)

    def abandon(self, name: str, upload: str) -> None:
        """Delete the parts of an upload."""
        self._check(self._request("DELETE", name, {"uploadId": upload}), (204, 200, 404))

    def delete(self, name: str) -> None:
        """Delete an object, which may be missing."""
        self._check(self._request("DELETE", name), (204, 200, 404))

    def names(self) -> Iterator[str]:
        """Yield the names of all objects below the prefix in their order, each once, 1,000 to a request."""
        query, before = {"list-type": "2", "prefix": self.bucket.prefix}, None
        while True:
            text = _text(self._check(self._request("GET", None, query)))
            for key in re.findall(r"<Key>(.*?)</Key>", text, re.DOTALL):
                if key != before:  # rclone 1.75 goes on to list an object twice that two clients wrote at once
                    yield unescape(key).removeprefix(self.bucket.prefix)
                before = key
            if self._field(text, "IsTruncated") != "true":
                return
            query["continuation-token"] = self._field(text, "NextContinuationToken")

    def ask(self) -> None:
        """Ask for the name of one object, to see that the bucket may be read."""
        query = {"list-type": "2", "max-keys": "1", "prefix": self.bucket.prefix}
        self._check(self._request("GET", None, query, patience=CONNECT))

    def renew(self) -> None:
        """Forget all connections, without closing them: they are those of the parent process."""
        self._pool = _pool(self.bucket.endpoint)

    def _request(
        self,
        method: str,
        name: str | None,
        query: Mapping[str, str] | None = None,
        *,
        content: bytes = b"",
        digest: str = NOTHING,
        more: Mapping[str, str] | None = None,
        is_streamed: bool = False,
        patience: float = ANSWER,
    ) -> BaseHTTPResponse:
        """Return the answer to a request about an object; `name` None: about the bucket."""
        url = self.bucket.endpoint + ("/" if name is None else f"/{quote(self.bucket.prefix + name, safe='/-_.~')}")
        asked = "&".join(f"{quote(key, safe='-_.~')}={quote(value, safe='-_.~')}" for key, value in
                         sorted((query or {}).items()))  # fmt: skip
        for pause in (*PAUSES, None):
            ahead = self._ahead
            sent = datetime.now(UTC) + ahead
            headers = signed(self.bucket, method, url, asked, digest, sent) | dict(more or {})
            if method in ("PUT", "POST"):
                headers["Content-Length"] = str(len(content))
            pieces = (content[at : at + SENT_AT_ONCE] for at in range(0, len(content), SENT_AT_ONCE))
            try:
                answer = self._pool.request(
                    method,
                    f"{url}?{asked}" if asked else url,
                    body=pieces if content else None,
                    headers=headers,
                    preload_content=not is_streamed,
                    redirect=False,
                    timeout=Timeout(connect=CONNECT, read=patience),
                    retries=Retry(False),
                )
            except HTTPError as error:
                if pause is None or not _is_quick(error):
                    raise self._away(error) from error
            else:
                if late := _lateness(answer, sent):
                    self._ahead = ahead + late
                if pause is None or not (late or answer.status in BUSY):
                    return answer
                answer.close()
                if late:
                    continue
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _check(self, answer: BaseHTTPResponse, allowed: Sequence[int] = (200,)) -> BaseHTTPResponse:
        """Return an answer whose status is `allowed`."""
        if answer.status not in allowed:
            raise self._refused(answer)
        return answer

    def _refused(self, answer: BaseHTTPResponse) -> BlobsAway:
        text = _text(answer)
        code, message = (self._field(text, tag, "") for tag in ("Code", "Message"))
        why = f"{code} ({message[:200].rstrip('.')})" if message else code or f"{answer.status} {answer.reason or ''}"
        return BlobsAway(f"the bucket {self.bucket.name!r} cannot be used: {why.strip()}")

    def _away(self, error: HTTPError) -> BlobsAway:
        host = urlsplit(self.bucket.endpoint).netloc
        return BlobsAway(f"the bucket {self.bucket.name!r} does not answer: {host}: {_why(error)}")

    def _field(self, text: str, tag: str, default: str | None = None) -> str:
        found = re.search(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        if found is None and default is None:
            raise BlobsAway(f"the bucket {self.bucket.name!r} cannot be used: its server answers without {tag}")
        return unescape(found[1]) if found else str(default)


def signed(bucket: Bucket, method: str, url: str, query: str, digest: str, now: datetime) -> dict[str, str]:
    """Return the headers of a request to `url` with a sorted, encoded `query`, whose content has the SHA-256 `digest`.

    Source: AWS, "Create a signed AWS API request" (Signature Version 4).
    """
    parts, moment = urlsplit(url), now.strftime("%Y%m%dT%H%M%SZ")
    day = moment[:8]
    headers = {"host": parts.netloc, "x-amz-content-sha256": digest, "x-amz-date": moment}
    if bucket.token:
        headers["x-amz-security-token"] = bucket.token
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    canonical = "\n".join((method, parts.path or "/", query, lines, names, digest))
    scope = f"{day}/{bucket.region}/s3/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = f"AWS4{bucket.secret}".encode()
    for word in (day, bucket.region, "s3", "aws4_request"):
        key = hmac.digest(key, word.encode(), "sha256")
    signature = hmac.new(key, text.encode(), "sha256").hexdigest()
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={bucket.key}/{scope}, SignedHeaders={names}, Signature={signature}"
    )
    return headers


def _endpoint(name: str, region: str, given: str) -> str:
    """Return the URL of a bucket: below the endpoint that is given, or AWS's, where a bucket is a host."""
    if not given:
        host = f"s3.{region}.amazonaws.com"
        return f"https://{host}/{name}" if "." in name else f"https://{name}.{host}"  # certificates cover one label
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise InvalidParameter(f"AWS_ENDPOINT_URL = {given[:80]!r}, but it must be like https://s3.example")
    default = {"http": ":80", "https": ":443"}[parts.scheme]
    return f"{parts.scheme}://{parts.netloc.removesuffix(default)}{parts.path.rstrip('/')}/{name}"


def _pool(endpoint: str) -> PoolManager:
    """Return a pool of connections, through the proxy that the environment names for them."""
    parts = urlsplit(endpoint)
    proxy, certificates = getproxies().get(parts.scheme), os.environ.get("AWS_CA_BUNDLE") or None
    if proxy and not proxy_bypass(parts.hostname or ""):
        return ProxyManager(proxy, maxsize=CONNECTIONS, ca_certs=certificates)
    return PoolManager(maxsize=CONNECTIONS, ca_certs=certificates)


def _is_quick(error: HTTPError) -> bool:
    """Return whether an error came at once, and not after a time limit."""
    if isinstance(error, NewConnectionError):  # refused; for urllib3, a kind of ConnectTimeoutError
        return not isinstance(error, NameResolutionError)
    return not (_is_late(error) or isinstance(error, (ConnectTimeoutError, SSLError)))


def _is_late(error: HTTPError) -> bool:
    """Return whether the server took nothing, or did not answer, within the time limit."""
    return isinstance(error, ReadTimeoutError) or any(isinstance(one, TimeoutError) for one in error.args)


def _why(error: HTTPError) -> str:
    """Return the reason of an error in a few words."""
    if _is_late(error):
        return "no answer in time"
    if isinstance(error, ConnectTimeoutError) and not isinstance(error, NewConnectionError):
        return f"no connection within {CONNECT:g} s"
    cause = error.__cause__ or error.__context__ or error
    return str(getattr(cause, "strerror", None) or cause)[:200]


def _lateness(answer: BaseHTTPResponse, sent: datetime) -> timedelta:
    """Return by how much a refused request was signed too early or late, by the server's clock; 0 where that is not
    why it was refused."""
    late = timedelta()
    if answer.status in (400, 403):
        with suppress(TypeError, ValueError):  # no such header, or one without a time zone
            late = parsedate_to_datetime(answer.headers.get("Date", "")) - sent
    return late if abs(late) > SKEW else timedelta()


def _text(answer: BaseHTTPResponse) -> str:
    return answer.data.decode("utf-8", "replace")


def _leave_inherited() -> None:
    """In a forked process: do not use the connections of the parent."""
    for client in list(_OPEN):
        client.renew()


os.register_at_fork(after_in_child=_leave_inherited)
