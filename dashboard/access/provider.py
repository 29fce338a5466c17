"""Persons whom an identity provider names, by OpenID Connect: the code flow with PKCE, state and nonce, of authlib.

What a sign-in needs between its two requests (state, nonce, code verifier) stands in a signed cookie for ten minutes.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request, session
from flask.sessions import SecureCookieSessionInterface

from shadowtime.dashboard.access.credentials import HOST, OIDC, Credential, Credentials, scopes_of, stamp_of
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.serving.threads import let_others_compute
from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.people import PERSON, groups_in, owner_of
from shadowtime.workers.settings import Settings

LASTS = timedelta(minutes=10)
"""Time for a sign-in."""
PATIENCE = 10
"""Seconds for an answer of the provider."""
LEEWAY = 60
"""Seconds by which the provider's clock may differ."""
SIGNATURES = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
"""Signatures of identity tokens that are taken: with a private key that the provider alone has."""
NEXT = "next"
FAILED = "The sign-in failed: {reason}. Begin again at /sign-in."
AWAY = "The identity provider does not answer as it should. Try again later."


class Provider:
    """The identity provider of one server."""

    def __init__(self, server: Flask, settings: Settings, credentials: Credentials):
        """Raises InvalidParameter where authlib is not installed."""
        try:
            from authlib.integrations.flask_client import OAuth
        except ImportError:
            raise InvalidParameter(
                "SHADOWTIME_OIDC_ISSUER is set, but authlib is not installed: pip install 'shadowtime[oidc]'"
            ) from None
        self._settings, self._credentials = settings, credentials
        server.secret_key = hmac.new(credentials.store.key(), b"sign-in", hashlib.sha256).digest()
        server.permanent_session_lifetime = LASTS
        server.session_interface = _Cookie(credentials)
        self._claims = {
            "iss": {"essential": True, "values": [settings.oidc_issuer]},
            "aud": {"essential": True, "values": [settings.oidc_client_id]},
        }
        self._app = OAuth(server).register(
            "provider",
            client_id=settings.oidc_client_id,
            client_secret=settings.oidc_client_secret or None,
            server_metadata_url=f"{settings.oidc_issuer.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs={
                "scope": settings.oidc_scopes,
                "code_challenge_method": "S256",
                "token_endpoint_auth_method": "client_secret_basic" if settings.oidc_client_secret else "none",
                "default_timeout": PATIENCE,
            },
        )

    def begin(self, callback: str, back: str) -> Response:
        """Redirect to the provider; `callback`: our address, to which it sends the browser again, `back`: the path
        to show then. Refusal: 502 where it does not answer, or is not the issuer of the settings."""
        self._check_metadata()
        session.clear()  # one sign-in of a browser at a time
        session[NEXT] = back if is_path(back) else "/"
        response: Response = self._app.authorize_redirect(callback)
        response.headers["Cache-Control"] = "no-store"
        return response

    def end(self) -> tuple[Credential, str]:
        """Return whom the provider names in the current request, and the path to show.

        Raises
        ------
        Refusal
            401 for a request that ends no sign-in of this browser, or whose code or identity token is not right; 403
            for a person who has no name; 502 where the provider does not answer.
        """
        from authlib.common.errors import AuthlibBaseError
        from joserfc.errors import JoseError
        from requests import RequestException

        self._check_metadata()
        back = session.get(NEXT, "/")
        try:
            with let_others_compute():
                token = self._app.authorize_access_token(claims_options=self._claims, leeway=LEEWAY)
        except (AuthlibBaseError, JoseError, ValueError) as error:
            raise Refusal(401, FAILED.format(reason=_reason(error))) from error
        except RequestException as error:
            raise Refusal(502, AWAY) from error
        finally:
            session.clear()
        claims = token.get("userinfo")
        if not claims:
            raise Refusal(401, FAILED.format(reason="the provider sent no identity token"))
        return self._credential(claims), back if is_path(back) else "/"

    def _check_metadata(self) -> None:
        """Read what the provider states of itself, once; Refusal where it states another issuer."""
        from requests import RequestException

        try:
            with let_others_compute():
                known = self._app.load_server_metadata()
        except (RequestException, ValueError) as error:
            raise Refusal(502, AWAY) from error
        if known.get("issuer") != self._settings.oidc_issuer:
            raise Refusal(502, "The identity provider is not the issuer that SHADOWTIME_OIDC_ISSUER names.")
        offered = known.get("id_token_signing_alg_values_supported") or ["RS256"]
        taken = [one for one in offered if one in SIGNATURES]
        known["id_token_signing_alg_values_supported"] = taken or ["RS256"]

    def _credential(self, claims: Mapping[str, Any]) -> Credential:
        settings = self._settings
        name = claims.get(settings.oidc_name_claim)
        if not isinstance(name, str) or not PERSON.fullmatch(name):
            raise Refusal(403, f"The identity provider gives no usable name in the claim {settings.oidc_name_claim}.")
        if settings.oidc_name_claim == "email" and claims.get("email_verified") is not True:
            raise Refusal(403, "The identity provider has not verified this e-mail address.")
        groups = groups_in(claims.get(settings.oidc_groups_claim))
        source = f"{OIDC}:{stamp_of(settings)}"
        return Credential(name, owner_of(name) or "", source, scopes_of(name, settings), groups)


class _Cookie(SecureCookieSessionInterface):
    """Flask's signed cookie, under a name of this laboratory."""

    def __init__(self, credentials: Credentials):
        self._credentials = credentials

    def get_cookie_name(self, app: Flask) -> str:
        return f"{self._credentials.cookie(request)}-sign-in"

    def get_cookie_secure(self, app: Flask) -> bool:
        return self.get_cookie_name(app).startswith(HOST)

    def get_cookie_samesite(self, app: Flask) -> str:
        return "Lax"

    def get_cookie_path(self, app: Flask) -> str:
        return "/"


def is_path(text: str) -> bool:
    """Return whether a text is a path of this site, which leads a browser to no other."""
    if not text.startswith("/") or text.startswith("//") or "\\" in text or not text.isprintable():
        return False
    parts = urlsplit(text)
    return not parts.scheme and not parts.netloc


def _reason(error: Exception) -> str:
    """Return what was wrong, in words that hold nothing which a provider or a request chose."""
    kind = getattr(error, "error", "") or type(error).__name__
    return REASONS.get(str(kind), "the answer of the identity provider is not valid")


REASONS = {
    "mismatching_state": "it was begun in another browser, or more than ten minutes ago",
    "access_denied": "the identity provider refused it",
    "invalid_grant": "its code was used, or is not valid",
    "expired_token": "its identity token has expired",
    "invalid_claim": "its identity token is not for this sign-in",
    "missing_claim": "its identity token lacks a claim",
    "bad_signature": "the signature of its identity token is wrong",
}
