"""Whether the driver answers on its DRA socket: the exec probe of its pods.

A connection alone proves nothing, as the kernel makes it for a process that hangs. So the server is greeted in HTTP/2,
which gRPC speaks, and has to greet back. Nothing is imported that costs time: this runs every few seconds.
"""

import os
import socket
import sys

_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_SETTINGS = 4  # type of the frame that both sides begin with
_HEADER = 9  # bytes of a frame's header: length, type, flags, stream
_TIMEOUT = 2.0


def answers(path: str) -> bool:
    """Whether a gRPC server greets back on the socket. Raises OSError when it cannot be reached in time."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_TIMEOUT)
        connection.connect(path)
        connection.sendall(_PREFACE + bytes((0, 0, 0, _SETTINGS, 0, 0, 0, 0, 0)))
        header = b""
        while len(header) < _HEADER:
            part = connection.recv(_HEADER - len(header))
            if not part:
                return False
            header += part
    return header[3] == _SETTINGS


def main() -> int:
    """Probe the socket in the folder given, named after $POD_UID as the driver does; the exit status."""
    uid = os.environ.get("POD_UID", "")
    path = os.path.join(sys.argv[1], f"dra-{uid}.sock" if uid else "dra.sock")
    try:
        good = answers(path)
    except OSError as error:
        sys.stderr.write(f"{path}: {error.strerror or error}\n")
        return 1
    if not good:
        sys.stderr.write(f"{path}: whoever listens there does not speak gRPC\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
