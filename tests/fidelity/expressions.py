"""Makes CEL expressions: most of them right, some with wrong types, names, counts of arguments or syntax.

expressions.txt names what has a type; an expression of a type is drawn from it, down to a depth.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

DOMAIN = "gpu.example.com"


def _forms() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith("[") and line.endswith("]") and line[1:-1].isalpha():
            forms = found[line[1:-1]] = []
        elif line and not line.startswith("#"):
            forms.append(line.replace("DOMAIN", DOMAIN))
    return found


_FORMS: Mapping[str, Sequence[str]] = _forms()
_ATTRIBUTES = (
    *(f"device.attributes['{DOMAIN}'].{name}" for name in ("index", "model", "healthy", "version", "nothing")),
    *("device.attributes['other.example.com'].x", "device.attributes[device.driver].model", "device.attributes['a'].b"),
    *(f"device.attributes['{DOMAIN}']['index']", "device.attributes.d.model", "dyn(device.driver)"),
)
_RANGES = (
    *("device.attributes", f"device.attributes['{DOMAIN}']", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "device.capacity"),
    *("lists.range(100)", "lists.range(1000)", "device.driver.split('.')"),
)
_VARIABLES = ("x", "y", "z", "value")
_TAILS = ("==", "&&", ")", "#", "x", " + 1", " && 1", ".foo", ".foo()", "[0]", "?")
_SPOILS: Sequence[Callable[[Random, str], str]] = (
    lambda random, text: text[: random.randrange(len(text) + 1)],
    lambda random, text: text.replace("(", "", 1),
    lambda random, text: text.replace("device", random.choice(("dev", "devices", "device.x", "this")), 1),
    lambda random, text: text.replace("'", random.choice(('"', "''", "`", "")), 1),
    lambda random, text: (
        f"{text} {random.choice(('==', '&&', ')', '#', 'x', ' + 1', ' && 1', '.foo', '.foo()', '[0]', '?'))}"
    ),
    lambda random, text: text.replace(".", random.choice((".nothing.", "..", ".?", "[", ".size().")), 1),
    lambda random, text: text.replace(", ", random.choice((",, ", " ", ", 1, ", ", 'x', ")), 1),
    lambda random, text: f"{random.choice(('-', '!', '(', '[', 'x.', 'has(', 'math.', 'cel.'))}{text}",
    lambda random, text: f"/* {text} */",
    lambda random, text: f"\n  {text.replace(' ', chr(10), 1)} // end",
)
_WRONG_TYPE, _SPOILT, _DEEP = 0.02, 0.2, 0.02
# What nests, with how often Kubernetes takes it to.
_NESTS: Sequence[tuple[str, str, int]] = (
    *(("(", ")", 249), ("[", "][0]", 247), ("!(", ")", 248), ("true == (", ")", 124), ("(", ") && true", 248)),
    *(("(", " ? true : true)", 248), ("true ? true : ", "", 249), ("[1].all(x, ", ")", 247)),
    *(("cel.bind(x, true, ", ")", 248), ("optional.of(", ").value()", 249), ("{1: ", "}[1]", 100)),
)


class Expressions:
    """Draws expressions from a source of chance."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._variable = 0

    def draw(self) -> str:
        """One expression: a selector, as a rule."""
        random = self._random
        shape = random.random()
        if shape < 0.08:
            return self._costly()
        if shape < 0.08 + _DEEP:
            return self._deep()
        kind = "bool" if shape < 0.95 else random.choice(list(_FORMS))
        text = self._of(kind, random.choice((1, 1, 2, 2, 3, 4)))
        if random.random() < _SPOILT:
            text = random.choice(_SPOILS)(random, text)
        return text

    def _of(self, kind: str, depth: int) -> str:
        random = self._random
        if random.random() < _WRONG_TYPE:
            kind = random.choice(list(_FORMS))
        forms = _FORMS[kind]
        if depth <= 0:
            forms = [form for form in forms if "<" not in form] or forms
        return self._filled(random.choice(forms), depth)

    def _filled(self, form: str, depth: int) -> str:
        random = self._random
        name = random.choice(_VARIABLES)
        text, rest = "", form
        while rest:
            if rest.startswith("~"):
                text, rest = text + random.choice(_ATTRIBUTES), rest[1:]
                continue
            kind = next((kind for kind in (*_FORMS, "v") if rest.startswith(f"<{kind}>")), None)
            if kind is None:
                text, rest = text + rest[0], rest[1:]
                continue
            text += name if kind == "v" else self._of(kind, depth - 1)
            rest = rest[len(kind) + 2 :]
        return text

    def _deep(self) -> str:
        """One that is nested about as deeply as Kubernetes takes it."""
        random = self._random
        opened, closed, most = random.choice(_NESTS)
        count = random.choice((random.randrange(1, most), random.randrange(most - 2, most + 3)))
        return opened * count + self._of("bool", 0) + closed * count

    def _costly(self) -> str:
        """One whose cost is near the limit, or past it."""
        random = self._random
        levels = random.randrange(1, 5)
        names = [f"v{index}" for index in range(levels)]
        ranges = (
            "device.attributes",
            f"device.attributes['{DOMAIN}']",
            "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]",
            "device.capacity",
        )
        over = [
            random.choice((*ranges, "lists.range(100)", "lists.range(1000)", "device.driver.split('.')")) for _ in names
        ]
        inner = random.choice(
            (
                "true",
                f"{names[-1]} == {names[0]}",
                f"device.attributes['{DOMAIN}'].model.matches('{'(a|b)' * random.randrange(1, 30)}')",
                f"device.driver.contains('{'x' * random.randrange(1, 200)}')",
                f"device.driver.replace('', '{'y' * random.randrange(1, 100)}').size() > 3",
                f"[{', '.join(['1'] * random.randrange(1, 50))}].distinct().size() > 3",
                f"'{'z' * random.randrange(1, 3000)}'.find('{'z*' * random.randrange(1, 300)}') != ''",
                "device.driver.split('').map(x, x + x).join('').size() > 2",
                "device.attributes.map(d, device.attributes[d].map(a, a + d)).flatten().join('-').size() > 4",
                f"quantity('{'1' * random.randrange(1, 18)}').isGreaterThan(quantity('1'))",
            )
        )
        for name, whole in zip(reversed(names), reversed(over), strict=True):
            inner = f"{whole}.{random.choice(('all', 'exists', 'exists_one'))}({name}, {inner})"
        return inner
