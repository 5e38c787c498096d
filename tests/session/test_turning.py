"""Where a cluster has a node for what disturbs, checks of those tiers look at it, and only they."""

from tests.session.project import Project

SUITE = """
@check(id="publishing.first", covers=["REG-01"])
def test_first(expect, driver, node):
    "It is looked at in peace."
    expect("REG-01").equal(driver.node.name, node.name, "the driver is that of the node")
    driver.history.record("disturb", action="checked first", node=node.name)

@check(id="restart.second", covers=["REG-01"], tier=Tier.DISRUPT_DRIVER)
def test_second(expect, driver, node):
    "It is disturbed."
    expect("REG-01").equal(driver.node.name, node.name, "the driver is that of the node")
    driver.history.record("disturb", action="checked second", node=node.name)

@check(id="publishing.last", covers=["REG-01"], at_end=True)
def test_last(expect, driver, node):
    "What was looked at last is judged."
    expect("REG-01").equal(driver.node.name, node.name, "the driver is that of the node")
    driver.history.record("disturb", action="checked last", node=node.name)
"""

CLUSTER = """
from conformance.cluster import Spared
from tests.session.fakes import FakeBackend, FakeInstallation, FakeNode


class TwoNodes(FakeBackend):
    def install(self, target):
        other = FakeNode(self.history)
        other.name = other.hostname = "node-b"
        self.both = [FakeInstallation(target, node, self.history) for node in (self.nodes[0], other)]
        return self.both[0]

    def turn(self, *, disruptive):
        chosen = self.both[disruptive]
        self.nodes = [chosen.node]
        return chosen


assert issubclass(TwoNodes, Spared)
"""


def looked_at(project: Project) -> dict[str, str]:
    project.suite(SUITE)
    project.file("two_nodes.py", CLUSTER)
    conftest = project.folder / "conftest.py"
    conftest.write_text(conftest.read_text().replace("FakeBackend(run_dir", "TwoNodes(run_dir"))
    conftest.write_text(
        conftest.read_text().replace("\n\ncollection", "\nfrom two_nodes import TwoNodes\n\ncollection")
    )
    project.run()
    assert [result.verdict for result in project.report().checks] == ["PASS"] * 3
    rows = [row for row in project.history("disturb") if row["action"].startswith("checked")]
    return {row["action"].partition(" ")[2]: row["node"] for row in rows}


def test_what_disturbs_has_a_node_of_its_own(project: Project) -> None:
    assert looked_at(project) == {"first": "node-a", "second": "node-b", "last": "node-b"}
