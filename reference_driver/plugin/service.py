"""The DRA services: both versions of the kubelet's DRA API over one handler."""

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc

from . import log, metrics
from .claims import ClaimRef
from .dra_api import dra_v1_pb2, dra_v1_pb2_grpc, dra_v1beta1_pb2, dra_v1beta1_pb2_grpc
from .errors import OutOfTime, told
from .handler import Answer, ClaimHandler
from .lock import Deadline
from .sockets import SocketServer


@dataclass(frozen=True)
class ApiVersion:
    """One version of the DRA API: the name to announce, its messages, and how to add a servicer to a server."""

    name: str
    messages: Any
    add_to_server: Callable[[Any, Any], None]


# Newest first: the kubelet takes the first that it knows.
VERSIONS = (
    ApiVersion("v1.DRAPlugin", dra_v1_pb2, dra_v1_pb2_grpc.add_DRAPluginServicer_to_server),
    ApiVersion("v1beta1.DRAPlugin", dra_v1beta1_pb2, dra_v1beta1_pb2_grpc.add_DRAPluginServicer_to_server),
)


class DraServicer:
    """NodePrepareResources and NodeUnprepareResources with the messages of one API version."""

    def __init__(self, handler: ClaimHandler, messages: Any) -> None:
        self._handler = handler
        self._messages = messages
        self.at_work: dict[int, float] = {}  # when each call began, by its number
        self._numbers = itertools.count()

    def NodePrepareResources(self, request: Any, context: Any) -> Any:
        """One entry per claim; a claim that failed has its error there."""
        answers = self._call("NodePrepareResources", self._handler.prepare, request, context)
        return self._messages.NodePrepareResourcesResponse(
            claims={uid: self.prepared(answer) for uid, answer in answers.items()}
        )

    def NodeUnprepareResources(self, request: Any, context: Any) -> Any:
        """One entry per claim, also when there was nothing to do."""
        answers = self._call("NodeUnprepareResources", self._handler.unprepare, request, context)
        entry = self._messages.NodeUnprepareResourceResponse
        return self._messages.NodeUnprepareResourcesResponse(
            claims={uid: entry(error=answer.error) for uid, answer in answers.items()}
        )

    def prepared(self, answer: Answer) -> Any:
        """The entry of one claim."""
        message = self._messages.Device
        devices = []
        for device in answer.devices:
            entry = message(
                request_names=device.requests,
                pool_name=device.pool,
                device_name=device.device,
                cdi_device_ids=device.cdi_ids,
            )
            if device.share_id and "share_id" in message.DESCRIPTOR.fields_by_name:  # v1 has it, v1beta1 not
                entry.share_id = device.share_id
            devices.append(entry)
        return self._messages.NodePrepareResourceResponse(devices=devices, error=answer.error)

    def _call(
        self,
        method: str,
        work: Callable[[Sequence[ClaimRef], Deadline], dict[str, Answer]],
        request: Any,
        context: Any,
    ) -> Mapping[str, Answer]:
        """Do the work while the caller waits for it, and log what came of it."""
        refs = [ClaimRef(claim.namespace, claim.name, claim.uid) for claim in request.claims]
        if not refs:
            return {}
        deadline, started, number = Deadline(context.time_remaining()), time.monotonic(), next(self._numbers)
        context.add_callback(deadline.cancel)
        self.at_work[number] = started
        try:
            answers = work(refs, deadline)
        except OutOfTime as error:
            log.warning(method, claims=[ref.uid for ref in refs], error=str(error))
            _count(method, started, {"timeout": len(refs)})
            context.abort(grpc.StatusCode.DEADLINE_EXCEEDED, str(error))
        except Exception as error:
            log.crash(method, claims=[ref.uid for ref in refs])
            _count(method, started, {"error": len(refs)})
            context.abort(grpc.StatusCode.UNKNOWN, told(error))
        finally:
            del self.at_work[number]
        milliseconds = round((time.monotonic() - started) * 1000, 2)
        for ref in refs:
            outcome = {"error": answers[ref.uid].error} if answers[ref.uid].error else {}
            log.info(method, claim=ref.uid, namespace=ref.namespace, name=ref.name, ms=milliseconds, **outcome)
        failed = sum(1 for answer in answers.values() if answer.error)
        _count(method, started, {"success": len(answers) - failed, "error": failed})
        return answers


def _count(method: str, started: float, outcomes: Mapping[str, int]) -> None:
    operation = "prepare" if method == "NodePrepareResources" else "unprepare"
    metrics.current().call(operation, time.monotonic() - started, outcomes)


class DraServer(SocketServer):
    """Serves the DRA API on the plugin's endpoint."""

    def __init__(self, path: Path, handler: ClaimHandler, versions: Sequence[ApiVersion] = VERSIONS) -> None:
        super().__init__(path, workers=16)
        self.versions = [version.name for version in versions]
        self._servicers = [self.make_servicer(handler, version.messages) for version in versions]
        for version, servicer in zip(versions, self._servicers, strict=True):
            version.add_to_server(servicer, self.grpc)

    def longest_call(self) -> float:
        """How many seconds the call is at work that began first; 0 without one."""
        began = [since for servicer in self._servicers for since in list(servicer.at_work.values())]
        return time.monotonic() - min(began) if began else 0.0

    def make_servicer(self, handler: ClaimHandler, messages: Any) -> DraServicer:
        """What answers the calls of one API version."""
        return DraServicer(handler, messages)
