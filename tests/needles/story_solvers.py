"""Answers to stories, worked out from a context's text alone: a parser and solver for each of the families.

Nothing here is the simulator's: sentences are found by how they are written, and followed anew. bAbI's first
three tasks are in tests/contract/test_tasks.py.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from functools import partial

Solver = Callable[[str, str], frozenset[str] | tuple[str, ...]]
"""Takes the context and the question; gives the elements, in their order where that is asked for."""

_PLACE = r"[a-z]+(?: [a-z]+)?"
_THING = r"[^.?]+?"
_START = r"[^\s.?!:;“”\"][^.?!:;“”\"\n]*?"
"""Of a name that a sentence begins with: no end of another sentence is in it."""


def _events(context: str, patterns: dict[str, list[str]]) -> list[tuple[str, dict[str, str]]]:
    """Every sentence that is one of the patterns, in the order of the text."""
    found = [
        (match.start(), name, match.groupdict())
        for name, sources in patterns.items()
        for source in sources
        for match in re.finditer(source, context)
    ]
    return [(name, groups) for _, name, groups in sorted(found, key=lambda each: each[0])]


_WHO = r"(?P<who>[^\s.,?]+)"
_MOVES = [
    rf"{_WHO} went to the (?P<place>{_PLACE})\.",
    rf"{_WHO} walked over to the (?P<place>{_PLACE})\.",
    rf"{_WHO} made for the (?P<place>{_PLACE}) and stayed there\.",
]


def _asked(pattern: str, question: str) -> dict[str, str]:
    found = re.search(pattern, question)
    assert found, question
    return found.groupdict()


def is_there(context: str, question: str) -> frozenset[str]:
    asked = _asked(rf"Is {_WHO} in the (?P<place>{_PLACE}) now", question)
    place_of = {told["who"]: told["place"] for _, told in _events(context, {"move": _MOVES})}
    return frozenset(["yes" if place_of[asked["who"]] == asked["place"] else "no"])


_BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}
_VILLAGES = {
    "beside": [
        rf"(?P<this>{_START}) lies directly (?P<side>\w+) of (?P<that>[^.?]+?)\.",
        r"Directly (?P<side>\w+) of (?P<that>[^.?]+?) lies (?P<this>[^.?]+?)\.",
    ]
}
_STALLS = {
    "beside": [
        r"The (?P<this>[^.?]+?) stands one step (?P<side>\w+) of the (?P<that>[^.?]+?)\.",
        r"One step (?P<side>\w+) of the (?P<that>[^.?]+?) stands the (?P<this>[^.?]+?)\.",
    ]
}


def _beside(context: str, patterns: dict[str, list[str]]) -> dict[str, dict[str, str]]:
    """By place: on which side of it another lies."""
    sides = dict[str, dict[str, str]]()
    for _, told in _events(context, patterns):
        sides.setdefault(told["that"], {})[told["this"]] = told["side"]
        sides.setdefault(told["this"], {})[told["that"]] = _BACK[told["side"]]
    return sides


def neighbours(context: str, question: str) -> frozenset[str]:
    sides = _beside(context, _VILLAGES)
    if question.startswith("Which"):
        asked = _asked(r"directly (?P<side>\w+) of (?P<place>.+)\?", question)
        side = asked["side"]
    else:
        asked = _asked(r"Of which village does (?P<place>.+) lie directly (?P<side>\w+)\?", question)
        side = _BACK[asked["side"]]
    return frozenset(place for place, lies in sides[asked["place"]].items() if lies == side)


def _walk(sides: dict[str, dict[str, str]], start: str) -> dict[str, list[str]]:
    ways: dict[str, list[str]] = {start: []}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for place, side in sides[here].items():
            if place not in ways:
                ways[place] = [*ways[here], side]
                queue.append(place)
    return ways


def further(context: str, question: str) -> frozenset[str]:
    asked = _asked(
        r"does the (?P<this>.+) stand further (?P<side>\w+) than the (?P<that>.+)\? Answer", question
    )
    way = _walk(_beside(context, _STALLS), asked["that"])[asked["this"]]
    ahead = way.count(asked["side"]) - way.count(_BACK[asked["side"]])
    assert ahead
    return frozenset(["yes" if ahead > 0 else "no"])


def path(context: str, question: str) -> tuple[str, ...]:
    asked = _asked(r"walk from (?P<this>.+) to (?P<that>.+), first and second", question)
    return tuple(_walk(_beside(context, _VILLAGES), asked["this"])[asked["that"]])


_GIFTS = [
    rf"{_WHO} gave the (?P<thing>{_THING}) to (?P<to>[^\s.]+)\.",
    rf"(?P<to>[^\s.]+) was given the (?P<thing>{_THING}) by {_WHO}\.",
    rf"{_WHO} handed the (?P<thing>{_THING}) over to (?P<to>[^\s.]+)\.",
]


def gifts(context: str, question: str) -> frozenset[str]:
    given = [told for _, told in _events(context, {"give": _GIFTS})]
    for pattern, wanted in (
        (rf"Whom did {_WHO} give the (?P<thing>.+) to\?", "to"),
        (r"Who gave the (?P<thing>.+) to (?P<to>[^\s.?]+)\?", "who"),
        (rf"What did {_WHO} give to (?P<to>[^\s.?]+)\?", "thing"),
    ):
        if match := re.search(pattern, question):
            known = match.groupdict().items()
            return frozenset(told[wanted] for told in given if known <= told.items())
    raise AssertionError(question)


def _carried(context: str) -> dict[str, set[str]]:
    hands = dict[str, set[str]]()
    patterns = {
        "take": [
            rf"{_WHO} picked up the (?P<thing>{_THING})\.",
            rf"{_WHO} took the (?P<thing>{_THING}) along\.",
        ],
        "drop": [
            rf"{_WHO} put down the (?P<thing>{_THING})\.",
            rf"{_WHO} left the (?P<thing>{_THING}) behind\.",
        ],
        "give": _GIFTS,
    }
    for name, told in _events(context, patterns):
        own = hands.setdefault(told["who"], set())
        if name == "take":
            own.add(told["thing"])
        elif told["thing"] not in own:  # an essay's own sentence
            continue
        else:
            own.remove(told["thing"])
        if name == "give":
            hands.setdefault(told["to"], set()).add(told["thing"])
    return hands


def how_many(context: str, question: str) -> frozenset[str]:
    return frozenset([str(len(_carried(context)[_asked(rf"is {_WHO} carrying", question)["who"]]))])


def carries(context: str, question: str) -> frozenset[str]:
    return frozenset(_carried(context)[_asked(rf"is {_WHO} carrying", question)["who"]])


_IS = [rf"{_WHO} is in the (?P<place>{_PLACE})\.", rf"{_WHO} has come to the (?P<place>{_PLACE})\."]


def _last_said(context: str, who: str, patterns: dict[str, list[str]]) -> tuple[str, dict[str, str]]:
    return [each for each in _events(context, patterns) if each[1]["who"] == who][-1]


def denied(context: str, question: str) -> frozenset[str]:
    asked = _asked(rf"Is {_WHO} in the (?P<place>{_PLACE}) now", question)
    patterns = {"is": _IS, "not": [rf"{_WHO} is (?:not|no longer) in the (?P<place>{_PLACE})\."]}
    name, told = _last_said(context, asked["who"], patterns)
    if name == "not":
        assert told["place"] == asked["place"]
        return frozenset(["no"])
    return frozenset(["yes" if told["place"] == asked["place"] else "no"])


def maybe(context: str, question: str) -> frozenset[str]:
    asked = _asked(rf"Is {_WHO} in the (?P<place>{_PLACE}) now", question)
    patterns = {
        "is": _IS,
        "either": [
            rf"{_WHO} is either in the (?P<place>{_PLACE}) or in the (?P<other>{_PLACE})\.",
            rf"Either the (?P<place>{_PLACE}) or the (?P<other>{_PLACE}) is where {_WHO} is\.",
        ],
    }
    name, told = _last_said(context, asked["who"], patterns)
    if name == "is":
        return frozenset(["yes" if told["place"] == asked["place"] else "no"])
    return frozenset(["maybe" if asked["place"] in (told["place"], told["other"]) else "no"])


_ON = rf"\. (?:After that they walked on to|Then they made for) the (?P<place>{_PLACE})\."


def _last_place(pattern: str, context: str, question: str) -> frozenset[str]:
    who = _asked(rf"Where is {_WHO} now", question)["who"]
    told = [match for match in re.finditer(pattern, context) if who in match.groupdict().values()]
    return frozenset([told[-1]["place"]])


_BOTH = rf"{_WHO} and (?P<with>[^\s.]+)"
moved_on = partial(_last_place, rf"{_WHO} (?:went to|looked in at) the {_PLACE}{_ON}")
in_pairs = partial(_last_place, rf"{_BOTH} (?:went|walked over) to the (?P<place>{_PLACE})\.")
pairs_moved_on = partial(_last_place, rf"{_BOTH} (?:went to|looked in at) the {_PLACE}{_ON}")


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_HOURS = ("at dawn", "at noon", "at dusk")


def earlier(context: str, question: str) -> frozenset[str]:
    asked = _asked(rf"was {_WHO} said to be the last time before the (?P<place>{_PLACE})\?", question)
    when = r"(?P<day>[A-Z]\w+day) (?P<hour>at \w+)"
    patterns = [
        rf"On {when} {_WHO} was in the (?P<place>{_PLACE})\.",
        rf"{_WHO} was seen in the (?P<place>{_PLACE}) on {when}\.",
    ]
    told = [each for _, each in _events(context, {"was": patterns}) if each["who"] == asked["who"]]
    told.sort(key=lambda each: (_DAYS.index(each["day"]), _HOURS.index(each["hour"])))
    places = [each["place"] for each in told]
    assert places.count(asked["place"]) == 1
    return frozenset([places[places.index(asked["place"]) - 1]])


def fears(context: str, question: str) -> frozenset[str]:
    who = _asked(rf"What is {_WHO} afraid of", question)["who"]
    of_who = [
        rf"{_WHO} is an? (?P<kind>\w+) in the valley\.",
        rf"In the valley {_WHO} works as an? (?P<kind>\w+)\.",
    ]
    (kind,) = {each["kind"] for _, each in _events(context, {"is": of_who}) if each["who"] == who}
    rules = [
        r"Every (?P<kind>\w+) in the valley is afraid of (?P<feared>[\w ]+)\.",
        r"There is no (?P<kind>\w+) in the valley who is not afraid of (?P<feared>[\w ]+)\.",
    ]
    return frozenset(each["feared"] for _, each in _events(context, {"rule": rules}) if each["kind"] == kind)


def wears(context: str, question: str) -> frozenset[str]:
    who = _asked(rf"Which colour does {_WHO} wear", question)["who"]
    of_who = [rf"{_WHO} (?:is|works as) an? (?P<kind>\w+)\."]
    kinds = {each["who"]: each["kind"] for _, each in _events(context, {"is": of_who})}
    colours = [rf"(?:On workdays )?(?!On\b){_WHO} wears (?P<colour>\w+)\."]
    seen = {each["who"]: each["colour"] for _, each in _events(context, {"looks": colours})}
    return frozenset(colour for one, colour in seen.items() if kinds.get(one) == kinds[who])


def fits(context: str, question: str) -> frozenset[str]:
    asked = _asked(r"Does the (?P<this>.+) fit inside the (?P<that>.+)\? Answer", question)
    patterns = {
        "inside": [
            r"The (?P<small>[^.?]+?) fits inside the (?P<large>[^.?]+?)\.",
            r"Inside the (?P<large>[^.?]+?) there is room for the (?P<small>[^.?]+?)\.",
            r"The (?P<large>[^.?]+?) is bigger than the (?P<small>[^.?]+?)\.",
            r"The (?P<small>[^.?]+?) is smaller than the (?P<large>[^.?]+?)\.",
        ]
    }
    larger = dict[str, set[str]]()
    for _, told in _events(context, patterns):
        larger.setdefault(told["small"], set()).add(told["large"])

    def above(thing: str) -> set[str]:
        found, left = set[str](), [thing]
        while left:
            new = larger.get(left.pop(), set()) - found
            found |= new
            left += new
        return found

    up, down = asked["that"] in above(asked["this"]), asked["this"] in above(asked["that"])
    assert up != down
    return frozenset(["yes" if up else "no"])


_NEEDS = {
    "hungry": ("larder", "loaf"),
    "thirsty": ("dairy", "jug of milk"),
    "tired": ("dormitory", "pillow"),
    "bored": ("skittle alley", "wooden ball"),
    "cold": ("boiler room", "log of beech"),
    "ill": ("infirmary", "roll of bandage"),
}


def motive(context: str, question: str) -> frozenset[str]:
    who = _asked(rf"(?:did|will) {_WHO} (?:go|take)", question)["who"]
    feels = [rf"(?:By now )?(?!now\b|By\b){_WHO} is (?P<state>{'|'.join(_NEEDS)})\."]
    states = [each["state"] for _, each in _events(context, {"feels": feels}) if each["who"] == who]
    if question.startswith("Why"):
        return frozenset(states)
    return frozenset(_NEEDS[state][0] for state in states)


def barrels(context: str, question: str) -> frozenset[str]:
    store = _asked(r"barrels lie in (?P<store>.+) at the end", question)["store"]
    patterns = {
        "put": [
            r"At the opening of the books (?P<n>\d+) barrels lay in (?P<to>[^.]+)\.",
            rf"(?P<to>{_START}) began the season with (?P<n>\d+) barrels\.",
            r"Then (?P<n>\d+) barrels were delivered to (?P<to>[^.]+)\.",
            r"A barge then brought (?P<n>\d+) barrels to (?P<to>[^.]+)\.",
        ],
        "took": [
            r"Then (?P<n>\d+) barrels were sold out of (?P<of>[^.]+)\.",
            r"Carters then took (?P<n>\d+) barrels away from (?P<of>[^.]+)\.",
        ],
        "moved": [
            r"Then (?P<n>\d+) barrels were moved from (?P<of>[^.]+?) to (?P<to>[^.]+)\.",
            r"A gang of porters then rolled (?P<n>\d+) barrels over from (?P<of>[^.]+?) to (?P<to>[^.]+)\.",
        ],
    }
    there = 0
    for _, told in _events(context, patterns):
        there += int(told["n"]) * ((told.get("to") == store) - (told.get("of") == store))
    return frozenset([str(there)])


def berth(context: str, question: str) -> frozenset[str]:
    asked = _asked(r"In which berth of (?P<port>.+) does the (?P<ship>.+) lie at the end", question)
    port = re.escape(asked["port"])
    (line,) = re.findall(rf"in the basin of {port} like this, berth by berth - (.+?)\.", context)
    ships = re.findall(r"\d+: ([^,]+)", line)
    patterns = {
        "ships": [
            rf"Then at {port} the (?P<one>[^.\d]+) and the (?P<other>[^.\d]+) changed berths\.",
            rf"master of {port} then let the (?P<one>[^.\d]+) and the (?P<other>[^.\d]+) change places\.",
        ],
        "berths": [
            rf"Then at {port} the ships in berths (?P<one>\d+) and (?P<other>\d+) changed places\.",
            rf"At {port} whatever lay in berth (?P<one>\d+) then changed places with whatever lay in berth"
            r" (?P<other>\d+)\.",
        ],
    }
    for name, told in _events(context, patterns):
        one, other = (
            ships.index(each) if name == "ships" else int(each) - 1 for each in (told["one"], told["other"])
        )
        ships[one], ships[other] = ships[other], ships[one]
    return frozenset([str(ships.index(asked["ship"]) + 1)])


_OF_BABI: tuple[Solver, ...] = (
    *(neighbours, gifts, is_there, how_many, carries, denied, maybe),
    *(moved_on, in_pairs, pairs_moved_on, earlier, fears, wears, further, fits, path, motive),
)
SOLVERS = {f"babilong-qa{number}": solver for number, solver in enumerate(_OF_BABI, 4)}
SOLVERS |= {"inventory": barrels, "positions": berth}
