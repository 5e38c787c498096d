"""The ASGI application: who asks, faults, rights, the verb, and what is recorded of it."""

import traceback

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver import discovery, status
from conformance.cluster.embedded.apiserver.bodies import answer, failed
from conformance.cluster.embedded.apiserver.faults import Faults
from conformance.cluster.embedded.apiserver.handlers import HANDLERS
from conformance.cluster.embedded.apiserver.request import RequestInfo, read_request
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.apiserver.users import Tokens, User
from conformance.cluster.embedded.apiserver.watch import Watches, WatchResponse
from conformance.history import History


class App:
    """Answers every request; requests of users other than our own are recorded in the history as `request`."""

    def __init__(self, store: Store, tokens: Tokens, faults: Faults, history: History) -> None:
        self.watches = Watches()
        self._store = store
        self._tokens = tokens
        self._faults = faults
        self._history = history

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> ASGIApp:
        path = request.url.path
        if path in discovery.HEALTH:
            return PlainTextResponse("ok")
        user, info, refused = User(""), RequestInfo(request.method, path, request.method.lower()), ""
        try:
            user = self._tokens.authenticate(request.headers.get("authorization", ""))
            info = read_request(request.method, path, dict(request.query_params), user.name)
            self._faults.strike(info)
            user.authorize(info)
            response = await self._dispatch(info, request)
        except ApiError as error:
            response, refused = failed(error), str(error.body.get("message", ""))
        except Exception as error:
            trace = "".join(traceback.format_exception(error))
            self._history.record("error", where=f"{request.method} {path}", trace=trace)
            response = failed(status.failure(500, "InternalError", f"Internal error occurred: {error}"))
        if not user.trusted:
            self._record(user, info, request, response, refused)
        return response

    async def _dispatch(self, info: RequestInfo, request: Request) -> ASGIApp:
        if info.resource is None:
            found = discovery.document(info.path) if info.verb == "get" else None
            if found is None:
                raise status.no_such_path()
            return answer(found)
        if info.verb == "watch":
            return WatchResponse(self._store, info, self.watches)
        handler = HANDLERS.get(info.verb)
        if handler is None:
            raise status.failure(
                405, "MethodNotAllowed", "the server does not allow this method on the requested resource"
            )
        return await handler(self._store, info, request)

    def _record(self, user: User, info: RequestInfo, request: Request, response: ASGIApp, refused: str) -> None:
        self._history.record(
            "request",
            user=user.name or "anonymous",
            node=user.node,
            verb=info.verb,
            resource=info.full_resource or info.path,
            version=info.version,
            namespace=info.namespace,
            name=info.name,
            code=response.status_code if isinstance(response, Response) else 200,
            message=refused,
            user_agent=request.headers.get("user-agent", ""),
        )
