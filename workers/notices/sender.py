"""Send the notices that are due, in a process beside the worker: a slow receiver holds up no run and no heartbeat."""

from __future__ import annotations

import json
import logging
import os
import signal
from contextlib import suppress

from shadowtime.workers import logs, processes
from shadowtime.workers.errors import NotFound
from shadowtime.workers.notices import mail, webhook
from shadowtime.workers.notices.address import NO_MAIL, NO_WEBHOOKS, is_webhook
from shadowtime.workers.notices.askers import is_still_owner
from shadowtime.workers.notices.content import content, subject, text
from shadowtime.workers.notices.webhook import IDENTITY, SIGNATURE, Undelivered
from shadowtime.workers.records.notices import Notice
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store

log = logging.getLogger(__name__)
LONGEST_ERROR = 300
"""Characters."""


class Sender:
    """Starts a process that sends when a notice is due; one at a time."""

    def __init__(self, store: Store, settings: Settings):
        self._store = store
        self._settings = settings
        self._child = 0

    def scan(self) -> None:
        """Start the process where a notice is due and none is running. Returns at once."""
        if self._is_sending() or not (self._settings.notice_secret or self._settings.notice_smtp):
            return
        if not self._store.notices.are_due():
            return
        self._child = os.fork()
        if not self._child:
            _send_and_exit(self._store, self._settings)

    def _is_sending(self) -> bool:
        if self._child:
            try:
                if os.waitpid(self._child, os.WNOHANG)[0]:
                    self._child = 0
            except ChildProcessError:  # another part of the process has waited for it
                self._child = 0
        return self._child != 0


def _send_and_exit(store: Store, settings: Settings) -> None:
    """In the process that was forked: it ends with the worker, and never runs the worker's own code."""
    code = os.EX_SOFTWARE
    try:
        processes.end_with_parent()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        send_due(store, settings)
        code = os.EX_OK
    except OSError as error:  # the database is away: what was claimed is due again after its pause
        log.warning("notices were not sent: %s", error)
    except BaseException:
        log.exception("the process that sends notices failed")
    finally:
        os._exit(code)


def send_due(store: Store, settings: Settings) -> int:
    """Send the notices that are due, one after another; return how many tries there were."""
    tries = 0
    while claimed := store.notices.claim():
        if not is_still_owner(store, settings, claimed):
            _drop(store, claimed)
            continue
        tries += 1
        error = ""
        try:
            send(store, settings, claimed)
        except (Undelivered, NotFound) as refusal:
            error = str(refusal)[:LONGEST_ERROR]
        store.notices.settle(claimed, error)
        with logs.about(claimed.subject):
            log.info("notice %s, try %d: %s", claimed.code, claimed.tries, error or "sent")
    return tries


def _drop(store: Store, notice: Notice) -> None:
    with suppress(NotFound):  # withdrawn meanwhile
        store.notices.withdraw(notice.code, notice.owner)
    with logs.about(notice.subject):
        log.info("notice %s deleted: who asked for it does not own the run any more", notice.code)


def send(store: Store, settings: Settings, notice: Notice) -> None:
    """Send one notice now.

    Raises
    ------
    Undelivered
        When it was not taken.
    NotFound
        When the run or the sweep was deleted meanwhile.
    """
    body = content(store, notice)
    if not is_webhook(notice.address):
        if not settings.notice_smtp:
            raise Undelivered(NO_MAIL)
        message = mail.message(settings, notice.address, subject(body), text(body), notice.code)
        mail.send(settings, message)
        return
    if not settings.notice_secret:
        raise Undelivered(NO_WEBHOOKS)
    sent = json.dumps(body).encode()
    headers = {SIGNATURE: webhook.signature(sent, settings.notice_secret), IDENTITY: notice.code}
    webhook.post(notice.address, sent, headers, settings.notice_private)
