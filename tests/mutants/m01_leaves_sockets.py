"""Leaves both socket files behind when it ends on SIGTERM."""

from reference_driver import gpu, plugin

FAULT = "M01"
CAUGHT_BY = ("registration.clean_exit",)
BREAKS = ("REG-17",)


class Registration(plugin.RegistrationServer):
    def stop(self, grace: float = 0) -> None:
        keep_socket(self, grace)


class Service(plugin.DraServer):
    def stop(self, grace: float = 0) -> None:
        keep_socket(self, grace)


def keep_socket(server: plugin.RegistrationServer | plugin.DraServer, grace: float) -> None:
    """Stop serving while the file has another name: gRPC removes the socket that it made as well."""
    aside = server.path.with_name("." + server.path.name)
    server.path.rename(aside)
    server.grpc.stop(grace).wait()
    aside.rename(server.path)


def main() -> int:
    return gpu.main(parts=plugin.Parts(registration=Registration, service=Service))


if __name__ == "__main__":
    raise SystemExit(main())
