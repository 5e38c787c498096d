"""From tokens to a syntax tree (cel-go's parser/parser.go and parser/gen/CEL.g4). Macros are calls there."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from conformance.cluster.embedded.scheduler.expressions import constants
from conformance.cluster.embedded.scheduler.expressions.errors import CompileError, Issue
from conformance.cluster.embedded.scheduler.expressions.tokens import SyntaxFault, Token, tokens
from conformance.cluster.embedded.scheduler.expressions.tree import (
    Call,
    Entry,
    Ident,
    ListOf,
    Literal,
    MapOf,
    Node,
    Select,
    StructOf,
)

T = TypeVar("T")

DEEPEST = 250
_RELATIONS = {"<": "_<_", "<=": "_<=_", ">=": "_>=_", ">": "_>_", "==": "_==_", "!=": "_!=_", "in": "@in"}
# Operator and how strongly it binds.
_SUMS = {"*": ("_*_", 2), "/": ("_/_", 2), "%": ("_%_", 2), "+": ("_+_", 1), "-": ("_-_", 1)}
_SIGNS = {"!": "!_", "-": "-_"}
_NESTED = {*_RELATIONS.values(), *(name for name, _ in _SUMS.values()), "_?_:_", "_[_]", "_[?_]", "_?._"}
_RESERVED = {
    *("as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop"),
    *("namespace", "null", "package", "return", "true", "var", "void", "while"),
}
_WORDS = {"true": True, "false": False, "null": None}


def read(source: str) -> tuple[Node, list[Issue]]:
    """The tree, and what is wrong with literals and names in it.

    Raises SyntaxFault for what the grammar does not have, CompileError for what is nested too deeply.
    """
    reader = _Reader(list(tokens(source)))
    tree = reader.whole()
    if not reader.issues and _depth(tree) > DEEPEST:
        raise CompileError("ERROR: <input>:-1:0: max recursion depth exceeded")
    return tree, reader.issues


def _depth(node: Node) -> int:
    """How deep what takes operands on both sides, or on its left, is nested."""
    inner = 0
    # A loop, as functions written in C would take room on the thread's stack.
    for child in node.children():
        inner = max(inner, _depth(child))
    is_nested = isinstance(node, Call) and (node.target is not None or node.function in _NESTED)
    return inner + (is_nested or isinstance(node, Select))


class _Reader:
    def __init__(self, found: Sequence[Token]) -> None:
        self.issues: list[Issue] = []
        self._tokens = found
        self._position = 0
        self._rules = Counter[str]()

    def whole(self) -> Node:
        """The tree of all tokens."""
        node = self._expression()
        self._expect("end")
        return node

    @property
    def _now(self) -> Token:
        return self._tokens[self._position]

    def _ahead(self, *kinds: str) -> bool:
        """Whether tokens of these kinds come next."""
        coming = self._tokens[self._position : self._position + len(kinds)]
        return tuple(token.kind for token in coming) == kinds

    def _take(self) -> Token:
        token = self._now
        self._position += 1
        return token

    def _skip(self, kind: str) -> bool:
        found = self._now.kind == kind
        self._position += found
        return found

    def _expect(self, *kinds: str) -> Token:
        if self._now.kind not in kinds:
            raise SyntaxFault(self._now.offset, f"mismatched input '{self._now.text}'")
        return self._take()

    def _enter(self, rule: str) -> None:
        """Kubernetes counts how often it is in a rule of the grammar at once."""
        self._rules[rule] += 1
        if self._rules[rule] > DEEPEST:
            raise CompileError(f"ERROR: <input>:-1:0: expression recursion limit exceeded: {DEEPEST}")

    def _expression(self) -> Node:
        self._enter("expression")
        node = self._logical("||")
        if self._now.kind == "?":
            mark = self._take()
            one = self._logical("||")
            self._expect(":")
            node = Call(mark.offset, "_?_:_", [node, one, self._expression()])
        self._rules["expression"] -= 1
        return node

    def _logical(self, sign: str) -> Node:
        inner: Callable[[], Node] = self._relation if sign == "&&" else lambda: self._logical("&&")
        terms, marks = [inner()], []
        while self._now.kind == sign:
            marks.append(self._take())
            terms.append(inner())
        return _balanced(f"_{sign}_", terms, marks)

    def _relation(self) -> Node:
        self._enter("relation")
        node = self._sum(1)
        while self._now.kind in _RELATIONS:
            mark = self._take()
            self._enter("relation")
            node = Call(mark.offset, _RELATIONS[mark.kind], [node, self._sum(1)])
            self._rules["relation"] -= 1
        self._rules["relation"] -= 1
        return node

    def _sum(self, least: int) -> Node:
        self._enter("sum")
        node = self._signed()
        while self._now.kind in _SUMS and _SUMS[self._now.kind][1] >= least:
            mark = self._take()
            function, strength = _SUMS[mark.kind]
            node = Call(mark.offset, function, [node, self._sum(strength + 1)])
        self._rules["sum"] -= 1
        return node

    def _signed(self) -> Node:
        mark = self._now
        if mark.kind not in _SIGNS or self._is_number():
            return self._member()
        count = 0
        while self._skip(mark.kind):
            count += 1
        node = self._member()
        return Call(mark.offset, _SIGNS[mark.kind], [node]) if count % 2 else node

    def _is_number(self) -> bool:
        return self._ahead("-", "int") or self._ahead("-", "double")

    def _member(self) -> Node:
        node = self._primary()
        while self._now.kind in (".", "["):
            mark = self._take()
            optional = self._skip("?")
            if mark.kind == "[":
                index = self._expression()
                self._expect("]")
                node = Call(mark.offset, "_[?_]" if optional else "_[_]", [node, index])
            elif not optional and self._ahead("name", "("):
                name, bracket = self._take(), self._take()
                node = Call(bracket.offset, name.text, self._arguments(), node)
            else:
                name = self._expect("name", "quoted")
                text = name.text.strip("`")
                field = Literal(name.offset, text)
                node = Call(mark.offset, "_?._", [node, field]) if optional else Select(mark.offset, node, text)
        return node

    def _primary(self) -> Node:
        token = self._now
        match token.kind:
            case "." | "name":
                return self._named()
            case "(":
                self._take()
                node = self._expression()
                self._expect(")")
                return node
            case "[":
                return self._list()
            case "{":
                return MapOf(self._take().offset, self._series("}", self._entry))
        return self._literal()

    def _named(self) -> Node:
        """A variable, a function that is called, or a message."""
        start = self._now
        dot = "." if self._skip(".") else ""
        first = self._expect("name")
        path = self._message_name(first)
        if path:
            mark = self._expect("{")
            rows = self._series("}", self._field)
            optional = frozenset(index for index, (_, _, marked) in enumerate(rows) if marked)
            return StructOf(mark.offset, dot + path, [(name, value) for name, value, _ in rows], optional)
        bracket = self._take() if self._now.kind == "(" else None
        known = len(self.issues)
        arguments = self._arguments() if bracket else []
        if first.text in _RESERVED:
            self.issues[known:] = [Issue(start.offset, f"reserved identifier: {first.text}")]
            return Literal(start.offset, None)
        return Call(bracket.offset, dot + first.text, arguments) if bracket else Ident(first.offset, dot + first.text)

    def _message_name(self, first: Token) -> str:
        """The name that has begun, if a bracket after it says that it is one of a message."""
        before, parts = self._position, [first.text]
        while self._ahead(".", "name"):
            self._take()
            parts.append(self._take().text)
        if self._now.kind == "{":
            return ".".join(parts)
        self._position = before
        return ""

    def _arguments(self) -> list[Node]:
        found: list[Node] = []
        while not found or self._skip(","):
            if not found and self._now.kind == ")":
                break
            found.append(self._expression())
        self._expect(")")
        return found

    def _series(self, end: str, item: Callable[[], T]) -> list[T]:
        """What is between brackets, after which there may be one more comma."""
        found: list[T] = []
        if self._now.kind not in (end, ","):
            found.append(item())
            while self._now.kind == "," and not self._ahead(",", end):
                self._take()
                found.append(item())
        self._skip(",")
        self._expect(end)
        return found

    def _list(self) -> Node:
        mark = self._take()
        rows = self._series("]", lambda: (self._skip("?"), self._expression()))
        optional = frozenset(index for index, (marked, _) in enumerate(rows) if marked)
        return ListOf(mark.offset, [item for _, item in rows], optional)

    def _entry(self) -> Entry:
        optional = self._skip("?")
        key = self._expression()
        mark = self._expect(":")
        return Entry(mark.offset, key, self._expression(), optional)

    def _field(self) -> tuple[str, Node, bool]:
        optional = self._skip("?")
        name = self._expect("name", "quoted")
        self._expect(":")
        return name.text.strip("`"), self._expression(), optional

    def _literal(self) -> Node:
        start = self._now
        sign = "-" if self._is_number() and self._skip("-") else ""
        token = self._expect("int", "uint", "double", "string", "bytes", *_WORDS)
        try:
            return Literal(start.offset, _value(token, sign))
        except constants.LiteralError as error:
            self.issues.append(Issue(start.offset, str(error)))
            return Literal(start.offset, None)


def _value(token: Token, sign: str) -> object:
    match token.kind:
        case "int":
            return constants.integer(sign + token.text)
        case "uint":
            return constants.unsigned(token.text[:-1])
        case "double":
            return constants.double(sign + token.text)
        case "string":
            return constants.string(token.text)
        case "bytes":
            return constants.octets(token.text[1:])
    return _WORDS[token.kind]


def _balanced(function: str, terms: Sequence[Node], marks: Sequence[Token]) -> Node:
    """A tree of terms that is as flat as can be."""
    if not marks:
        return terms[0]
    middle = len(marks) // 2
    one = _balanced(function, terms[: middle + 1], marks[:middle])
    other = _balanced(function, terms[middle + 1 :], marks[middle + 1 :])
    return Call(marks[middle].offset, function, [one, other])
