"""Send a notice as e-mail, by the server in SHADOWTIME_NOTICE_SMTP."""

from __future__ import annotations

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

from shadowtime.workers.notices.webhook import TIMEOUT, Undelivered
from shadowtime.workers.settings import Settings


def message(settings: Settings, to: str, subject: str, text: str, code: str) -> EmailMessage:
    """Return a plain message; `code` names the notice, so that two copies of it are known as one."""
    made = EmailMessage()
    made["From"], made["To"] = settings.notice_from, to
    made["Subject"] = " ".join(subject.split())[:200]
    made["Date"] = formatdate()
    made["Message-ID"] = f"<{code}{make_msgid(domain='shadowtime.invalid')[1:]}"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(text)
    return made


def send(settings: Settings, what: EmailMessage) -> None:
    """Hand a message to the server.

    Raises
    ------
    Undelivered
        When the server does not take it. A password is only sent over an encrypted connection.
    """
    parts = urlsplit(settings.notice_smtp)
    is_encrypted = parts.scheme == "smtps"
    host, port = parts.hostname or "", parts.port or (465 if is_encrypted else 25)
    try:
        with _opened(host, port, is_encrypted) as server:
            server.ehlo()
            if not is_encrypted and server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
                server.ehlo()
                is_encrypted = True
            if parts.username:
                if not is_encrypted:
                    raise Undelivered("the mail server offers no encryption: the password was not sent")
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.send_message(what)
    except smtplib.SMTPResponseException as error:
        raise Undelivered(f"the mail server answered {error.smtp_code}") from None
    except smtplib.SMTPRecipientsRefused as error:
        codes = ", ".join(str(code) for code, _ in error.recipients.values())
        raise Undelivered(f"the mail server refused the address ({codes})") from None
    except (OSError, smtplib.SMTPException) as error:
        raise Undelivered(f"the mail server was not reached: {str(error)[:200] or type(error).__name__}") from None


def _opened(host: str, port: int, is_encrypted: bool) -> smtplib.SMTP:
    if is_encrypted:
        return smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=ssl.create_default_context())
    return smtplib.SMTP(host, port, timeout=TIMEOUT)
