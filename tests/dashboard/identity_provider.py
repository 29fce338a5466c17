"""A small identity provider on the loopback, of authlib's own server parts: it names Anna without a password.

A test bends what the next identity token says, and what the provider states of itself.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDCode
from flask import Flask, jsonify, redirect, request
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey
from werkzeug.serving import make_server

CLIENT, SECRET = "shadowtime-lab", "a secret of the client"


@dataclass
class Client(ClientMixin):
    """This laboratory, as the provider knows it."""

    def get_client_id(self):
        return CLIENT

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return scope

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri.endswith("/sign-in/done")

    def check_client_secret(self, client_secret):
        return client_secret == SECRET

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "client_secret_basic"

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type == "authorization_code"


@dataclass
class Code(AuthorizationCodeMixin):
    """A code that was given."""

    code: str
    redirect_uri: str
    scope: str
    nonce: str
    code_challenge: str
    code_challenge_method: str

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope

    def get_nonce(self):
        return self.nonce

    def get_auth_time(self):
        return None

    def get_acr(self):
        return None

    def get_amr(self):
        return None


@dataclass
class IdentityProvider:
    """What a test may look at and change."""

    issuer: str = ""
    person: dict[str, Any] = field(default_factory=lambda: {"preferred_username": "anna", "groups": ["hpc", "a b"]})
    metadata: dict[str, Any] = field(default_factory=dict)
    """Fields that the provider states otherwise than they are."""
    claims: dict[str, Any] = field(default_factory=dict)
    """Claims of the next identity token that are otherwise than they should be; None: missing."""
    key: Any = None
    """Another key than its own to sign with."""
    codes: dict[str, Code] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)
    """The queries by which browsers came."""


@contextmanager
def running() -> Iterator[IdentityProvider]:
    """Serve a provider on a free port."""
    state, app, key = IdentityProvider(), Flask("provider"), RSAKey.generate_key(2048, {"kid": "one"})

    class Grant(AuthorizationCodeGrant):
        TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic"]

        def save_authorization_code(self, code, request):
            said = request.payload.data
            state.codes[code] = Code(
                code, said["redirect_uri"], said["scope"], said.get("nonce", ""), said.get("code_challenge", ""),
                said.get("code_challenge_method", ""),
            )  # fmt: skip

        def query_authorization_code(self, code, client):
            return state.codes.get(code)

        def delete_authorization_code(self, authorization_code):
            del state.codes[authorization_code.code]

        def authenticate_user(self, authorization_code):
            return "anna"

    class Identity(OpenIDCode):
        def exists_nonce(self, nonce, request):
            return any(code.nonce == nonce for code in state.codes.values())

        def resolve_client_private_key(self, client):
            return key

        def get_client_algorithm(self, client):
            return "RS256"

        def get_client_claims(self, client):
            return {"iss": state.issuer, "aud": [CLIENT]}

        def generate_user_info(self, user, scope):
            return UserInfo(sub="7", **state.person)

        def encode_id_token(self, token, request):
            claims = jwt.decode(super().encode_id_token(token, request), key).claims
            claims = {name: value for name, value in {**claims, **state.claims}.items() if value is not None}
            alg = "HS256" if isinstance(state.key, OctKey) else "RS256"
            return jwt.encode({"alg": alg, "kid": "one"}, claims, state.key or key, [alg])

    server = AuthorizationServer(app, lambda name: Client() if name == CLIENT else None, lambda token, request: None)
    server.register_grant(Grant, [Identity(require_nonce=True), CodeChallenge(required=True)])

    @app.get("/.well-known/openid-configuration")
    def metadata():
        known = {
            "issuer": state.issuer,
            "authorization_endpoint": f"{state.issuer}/authorize",
            "token_endpoint": f"{state.issuer}/token",
            "jwks_uri": f"{state.issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        }
        return jsonify({**known, **state.metadata})

    @app.get("/keys")
    def keys():
        return jsonify(keys=[key.as_dict(private=False)])

    @app.get("/authorize")
    def authorize():
        state.asked.append(dict(request.args))
        if "refuse" in state.person:
            return redirect(f"{request.args['redirect_uri']}?error=access_denied&state={request.args['state']}")
        return server.create_authorization_response(grant_user="anna")

    @app.post("/token")
    def token():
        return server.create_token_response()

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")  # its server answers without TLS, on the loopback
        served = make_server("127.0.0.1", 0, app, threaded=True)
        state.issuer = f"http://127.0.0.1:{served.port}"
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        try:
            yield state
        finally:
            served.shutdown()
            thread.join()
            served.server_close()
