"""Whether the DRA service answers on the driver's endpoint."""

from conformance.cluster import Answer, Installation, Node, seen_within

SOON = 5.0  # seconds for the connection to the endpoint to come up
_NOT_SERVED = ("UNAVAILABLE", "UNIMPLEMENTED", "DEADLINE_EXCEEDED")


def unanswered(node: Node, driver: Installation, version: str | None = None) -> str:
    """Ask it to unprepare no claim, which touches nothing; "" when it answers, were it with a refusal, else why not."""
    answers: list[Answer] = []

    def reached() -> bool:
        answers.append(node.unprepare(driver=driver.target.driver_name, version=version))
        return answers[-1].code != "UNAVAILABLE"

    seen_within(reached, SOON)
    return answers[-1].error if answers[-1].code in _NOT_SERVED else ""
