"""Claims of all sorts: what the scheduler allocates, the driver prepares."""

import time
import warnings
from typing import TYPE_CHECKING

from conformance.chance import Chance
from conformance.check import check
from conformance.checks.allocation.selection import eligible
from conformance.checks.allocation.trying import Trying, Wrong, as_yaml
from conformance.checks.preparation.test_at_once import how_many
from conformance.cluster import Cluster, Installation
from conformance.expect import Expect
from conformance.verdict import Inconclusive, NotApplicable, Unjudged

if TYPE_CHECKING:
    from conformance.checks.allocation.drawing import Drawn, Offer

CLAIMS = 150
SECONDS = 60.0  # for drawing, and as many again for making a claim smaller that shows a fault
FEWEST = 5


@check(
    id="allocation.drawn_claims",
    covers=("PREP-08", "PREP-10", "PREP-21", "PREP-23", "UNP-07"),
    needs=("injection.container_sees", "unpreparing.cleans_up"),
    profile="hardening",
    claims=1,
)
def test_drawn_claims(cluster: Cluster, driver: Installation, chance: Chance, expect: Expect) -> None:
    """Whatever claim is made up of valid parts and is allocated, it is prepared, seen in containers and unprepared."""
    from conformance.checks.allocation.drawing import Offer  # hypothesis takes half a second to import

    offer = Offer(driver.target, candidates(cluster), how_many(cluster))
    trial = Trial(Trying(cluster))
    wrong = trial.smallest_wrong(offer, chance)
    for requirement in ("PREP-08", "PREP-10", "PREP-21", "PREP-23", "UNP-07"):
        shown = wrong.get(requirement, "")
        expect(requirement).equal(shown, "", f"each claim that is allocated can be used ({chance})")
    if trial.trying.allocated < min(FEWEST, len(trial.known)):
        raise Inconclusive(f"of {len(trial.known)} claims that were made up, {trial.trying.allocated} were allocated")


class Trial:
    """Claims tried so far: what was wrong with each, None with a good one."""

    def __init__(self, trying: Trying) -> None:
        self.trying = trying
        self.known: dict[str, Wrong | None] = {}
        self._ends = time.monotonic() + SECONDS
        self._unjudged: Unjudged | None = None
        self._shown = ""

    def smallest_wrong(self, offer: "Offer", chance: Chance) -> dict[str, str]:
        """The smallest claim found with which the driver does wrong, by what it breaks. Raises Unjudged."""
        from hypothesis import HealthCheck, Phase, Verbosity, errors, given, seed, settings

        from conformance.checks.allocation.drawing import claims

        @seed(chance.seed)
        @settings(
            max_examples=CLAIMS,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
            report_multiple_bugs=False,
        )
        @given(claims(offer))
        def try_out(drawn: "Drawn") -> None:
            found = self._try_out(drawn)
            if found:
                self._shown = as_yaml(drawn)
                raise Wrong(found.requirement, str(found))

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", errors.HypothesisWarning)  # others set the recursion limit, too
                try_out()
        except Wrong as wrong:
            # The last one that hypothesis has tried is the smallest.
            return {wrong.requirement: f"{wrong}, with\n{self._shown}"}
        except errors.Flaky:
            raise Inconclusive("the driver does wrong with a claim, and not when it is tried again") from None
        finally:
            if self._unjudged:
                raise self._unjudged
        return {}

    def _try_out(self, drawn: "Drawn") -> Wrong | None:
        text = as_yaml(drawn)
        if text in self.known:
            return self.known[text]
        if self._unjudged or time.monotonic() > self._ends:
            return None
        found = None
        try:
            self.trying.try_out(drawn)
        except Wrong as wrong:
            if not any(self.known.values()):
                self._ends = time.monotonic() + SECONDS
            found = wrong
        except Unjudged as reason:
            self._unjudged = reason
        self.known[text] = found
        return found


def candidates(cluster: Cluster) -> list[dict[str, object]]:
    """Devices that may be allocated for a valid claim. Raises NotApplicable where there are none."""
    requests = cluster.target.claim_spec()["devices"]["requests"]
    wishes = [wish for request in requests for wish in request.get("firstAvailable") or [request["exactly"]]]
    found = {(pool, str(device["name"])): device for wish in wishes for pool, device in eligible(cluster, wish)}
    if not found:
        raise NotApplicable("the driver publishes no device that a valid claim may get")
    return list(found.values())
