"""Whether a check may be tried: what it needs of other checks, of the driver and of the run."""

from collections.abc import Callable, Collection, Mapping

from pydantic.alias_generators import to_camel

from conformance.check import Check, Tier
from conformance.verdict import NotApplicable, NotRun, Unjudged, Verdict

GOOD = (Verdict.PASS, Verdict.WARN, Verdict.INFO, Verdict.WAIVED)


LACKING = {"embedded": ("nri", "crd", "webhook"), "control-plane": ("nri", "webhook")}
"""What clusters of a kind never have, of what driver files may require: no runtime, no pod that serves a webhook."""


class Blocked(Unjudged):
    """A check that this one needs has not passed."""

    verdict = Verdict.BLOCKED


def needs_met(check: Check, selected: Collection[str], verdicts: Mapping[str, Verdict]) -> None:
    """A needed check that was selected must have passed. Raises Blocked, NotApplicable or NotRun, whichever fits."""
    for needed in check.needs:
        verdict = verdicts.get(needed)
        if needed not in selected or verdict in GOOD:
            continue
        if verdict in (Verdict.NOT_APPLICABLE, Verdict.NOT_RUN):
            kind = NotApplicable if verdict is Verdict.NOT_APPLICABLE else NotRun
            raise kind(f"needs {needed}, which is {verdict}")
        raise Blocked(f"needs {needed}, which {f'is {verdict}' if verdict else 'has no verdict'}")


def remember(verdicts: dict[str, Verdict], id: str, verdict: Verdict) -> None:
    """A parametrized check is as good as its worst case."""
    known = verdicts.get(id)
    if known is None or known in GOOD:
        verdicts[id] = verdict


def tier_allows(check: Check, tier: Tier) -> None:
    """The run must be of the check's tier. Raises NotRun."""
    if not tier.includes(check.tier):
        raise NotRun(f"is of tier {check.tier}, and this run goes up to {tier}")


def hooks_present(check: Check, hooks: Collection[str], allowed: bool) -> None:
    """The driver file must have the hooks that the check runs. Raises NotRun."""
    if check.hooks and not allowed:
        raise NotRun(f"needs the hooks {', '.join(map(to_camel, check.hooks))}, and --no-hooks was given")
    missing = [to_camel(hook) for hook in check.hooks if hook not in hooks]
    if missing:
        raise NotRun(f"the driver file has no hook {', '.join(missing)}")


def cluster_gives(kind: str, required: Collection[str]) -> None:
    """The cluster must be of a kind that can have what the driver file requires. Raises NotRun."""
    missing = [each for each in required if each in LACKING.get(kind, ())]
    if missing:
        raise NotRun(f"the driver requires {', '.join(missing)}, which a cluster of kind {kind} does not have")


def claims_fit(check: Check, claims_per_node: int) -> None:
    """The node must hold as many claims at once as the check makes. Raises NotApplicable."""
    if check.claims > claims_per_node:
        raise NotApplicable(f"needs {check.claims} claims at once, and a node of this driver holds {claims_per_node}")


def claims_free(check: Check, claims_per_node: int, free: Callable[[], int]) -> None:
    """Others must leave as many claims as the check makes. Raises NotRun; `free` is only asked where it matters."""
    left = free() if check.claims else 0
    if check.claims > left:
        raise NotRun(f"needs {check.claims} claims at once; of {claims_per_node} on the node, others leave {left}")


def features_offered(check: Check, claimed: Collection[str], seen: Callable[[], Collection[str]]) -> None:
    """The driver must claim or show the features. Raises NotApplicable; `seen` is only asked where it matters."""
    missing = [feature for feature in check.features if feature not in claimed]
    missing = [feature for feature in missing if feature not in seen()] if missing else []
    if missing:
        raise NotApplicable(f"the driver neither claims nor shows {', '.join(missing)}")
