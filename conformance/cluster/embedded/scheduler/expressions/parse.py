"""Text to syntax tree."""

from conformance.cluster.embedded.scheduler.expressions import grammar
from conformance.cluster.embedded.scheduler.expressions.errors import CompileError, report
from conformance.cluster.embedded.scheduler.expressions.macros import expand
from conformance.cluster.embedded.scheduler.expressions.tokens import SyntaxFault
from conformance.cluster.embedded.scheduler.expressions.tree import Node
from conformance.cluster.embedded.scheduler.expressions.wording import syntax_errors


def parse(source: str) -> Node:
    """The tree, with macros expanded. Raises CompileError."""
    try:
        tree, issues = grammar.read(source)
    except SyntaxFault as fault:
        raise CompileError(syntax_errors(source) or report(source, [fault.issue])) from None
    expanded = expand(tree, issues)
    if issues:
        raise CompileError(report(source, issues))
    return expanded
