# A Python back end behind Foyer: verifies the token that its page sends, without a request to Foyer. `pip install pyjwt[crypto]`
import json
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

import jwt

ISSUER = os.environ.get("FOYER_URL", "http://localhost:3000")
# Add your URL to Foyer's TOKEN_AUDIENCES. Without it, the audience is Foyer's own URL.
AUDIENCE = os.environ.get("AUDIENCE", ISSUER)
KEYS = jwt.PyJWKClient(f"{ISSUER}/api/auth/jwks")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            token = self.headers.get("Authorization", "").removeprefix("Bearer ")
            key = KEYS.get_signing_key_from_jwt(token)
            claims = jwt.decode(token, key.key, algorithms=["ES256"], issuer=ISSUER, audience=AUDIENCE)
            # Tokens of a session. Access tokens of the issuer (at+jwt) may belong to other applications: check client_id there.
            if jwt.get_unverified_header(token).get("typ") != "JWT":
                raise jwt.InvalidTokenError("not the token of a session")
            organization = claims.get("org", {})
            status, body = 200, {"user": claims["sub"], "organization": organization.get("slug"), "role": organization.get("role")}
        except jwt.PyJWTError:
            status, body = 401, {"code": "UNAUTHORIZED"}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "5000"))), Handler).serve_forever()
