"""The ASGI application: who asks, faults, rights, the verb, and what is recorded of it."""

import traceback

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from conformance.cluster.api_errors import ApiError
from conformance.cluster.embedded.apiserver import discovery, status
from conformance.cluster.embedded.apiserver.asking import ASKING, Asking
from conformance.cluster.embedded.apiserver.bodies import answer, failed, read_body, warning
from conformance.cluster.embedded.apiserver.faults import Faults
from conformance.cluster.embedded.apiserver.handlers import HANDLERS
from conformance.cluster.embedded.apiserver.kinds import REVIEWS
from conformance.cluster.embedded.apiserver.node_proxy import node_page
from conformance.cluster.embedded.apiserver.request import RequestInfo, read_request
from conformance.cluster.embedded.apiserver.reviews import answer_review
from conformance.cluster.embedded.apiserver.store import Store
from conformance.cluster.embedded.apiserver.users import Tokens, User
from conformance.cluster.embedded.apiserver.watch import Watches, WatchResponse
from conformance.history import History

_ON_COLLECTIONS = ("list", "watch", "create", "deletecollection")
_ON_STATUS = ("get", "update", "patch")


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
            info = read_request(
                request.method, path, dict(request.query_params), user.name, request.headers.get("accept", "")
            )
            self._faults.strike(info)
            response = await self._dispatch(user, info, request)
        except ApiError as error:
            response = failed(_as_asked(info, error), request.headers.get("accept", ""))
            refused = str(error.body.get("message", ""))
        except RecursionError:
            refused = "the body is nested too deeply: it has to have fewer levels of objects and lists"
            response = failed(status.bad_request(refused))
        except Exception as error:
            trace = "".join(traceback.format_exception(error))
            self._history.record("error", where=f"{request.method} {path}", trace=trace)
            response = failed(status.failure(500, "InternalError", f"Internal error occurred: {error}"))
        if isinstance(response, Response):
            for text in info.warnings:
                response.headers.append("Warning", warning(text))
        if not user.trusted:
            self._record(user, info, request, response, refused)
        return response

    async def _dispatch(self, user: User, info: RequestInfo, request: Request) -> ASGIApp:
        if info.resource is None:
            return _document(info)
        if info.resource is REVIEWS.get(info.resource.plural):
            if info.verb != "create":
                raise status.not_allowed()
            return answer(answer_review(user, info, await read_body(request) or {}), 201)
        user.authorize(info)
        ASKING.set(Asking(user, info.verb))
        if info.full_resource == "nodes/proxy" and info.verb == "get" and user.trusted:
            return await node_page(self._store, info)
        if not _served(info):
            raise status.not_allowed() if _is_there(info) else status.no_such_path()
        _ = info.form  # what cannot be answered in that form is not done
        if info.verb == "watch":
            return WatchResponse(self._store, info, self.watches)
        handler = HANDLERS.get(info.verb)
        if handler is None:
            raise status.not_allowed()
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


def _as_asked(info: RequestInfo, error: ApiError) -> ApiError:
    """A refusal with the group that was asked, where the objects are kept in another one."""
    details = error.body.get("details") or {}
    kind = details.get("kind", "")
    if info.resource is None or kind != info.resource.plural or info.group == info.resource.group:
        return error
    message = str(error.body["message"]).replace(f"{kind} ", f"{kind}.{info.group} ", 1)
    return ApiError.of({**error.body, "message": message, "details": {**details, "group": info.group}})


def _document(info: RequestInfo) -> Response:
    """What is served beside objects: discovery and OpenAPI. Raises NotFound and ApiError 405."""
    parts = [part for part in info.path.split("/") if part]
    if not parts:
        return answer(discovery.paths())
    if info.verb == "get":
        if discovery.wants_aggregated(info.accept) and (found := discovery.aggregated(info.path)):
            return answer(found, media_type=discovery.AGGREGATED)
        if found := discovery.document(info.path):
            return answer(found)
    elif parts in (["api"], ["apis"]):
        raise status.not_allowed()
    if parts[0] in ("api", "version"):
        raise status.no_such_path()
    return PlainTextResponse("404 page not found\n", 404)


def _is_there(info: RequestInfo) -> bool:
    """Whether anything is served there."""
    return not info.subresource or (info.subresource == "status" and info.kind.status)


def _served(info: RequestInfo) -> bool:
    """Whether the verb can be used there."""
    if info.subresource == "status":
        return info.kind.status and info.verb in _ON_STATUS
    if info.full_resource == "pods/binding":
        return info.verb == "create"
    if info.subresource:
        return False
    if info.verb == "deletecollection" and info.full_resource == "namespaces":
        return False  # they are deleted one by one
    return bool(info.name) != (info.verb in _ON_COLLECTIONS) or info.verb == "watch"
