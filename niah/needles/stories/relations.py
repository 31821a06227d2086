"""Where things are to each other, how large they are, what follows from a rule, and counts after changes."""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from itertools import chain

from niah.needles.stories.world import Cast, Event, Plot, event, task

_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Of the family's four directions, in its order: north, east, south, west."""

Ways = dict[str, tuple[tuple[int, ...], frozenset[int]]]

_BESIDE = {"beside": "this that direction"}
_NEEDS = {"feels": "who state", "goes": "who place", "takes": "who thing"}
_STEPS_OF_NEEDS = (("feels", "state", "where"), ("goes", "place", "why"), ("takes", "thing", "why_took"))
_MOST_STORES = 5
_MOST_THINGS = 6
_STORES = {**dict.fromkeys(("start", "put", "took"), "store number"), "moved": "store to number"}
_SWAPS = {"line_up": "things port", "swap": "thing other port", "swap_places": "first second port"}


class _Map:
    """Places on a grid, joined as a tree of single steps; ``edges`` are (place, direction of it, from)."""

    def __init__(self, rng: random.Random, names: Sequence[str]) -> None:
        self.squares: dict[str, tuple[int, int]] = {names[0]: (0, 0)}
        self.edges: list[tuple[str, int, str]] = []
        taken = {(0, 0)}
        for name in names[1:]:
            # Rather at the places named last, so that ways are long.
            while name not in self.squares:
                at = rng.choice(list(self.squares)[-3:] if rng.random() < 0.7 else list(self.squares))
                side = rng.randrange(4)
                square = self.squares[at][0] + _STEPS[side][0], self.squares[at][1] + _STEPS[side][1]
                if square not in taken:
                    taken.add(square)
                    self.squares[name] = square
                    self.edges.append((name, side, at))
        rng.shuffle(self.edges)

    def events(self, rng: random.Random, directions: Sequence[str]) -> list[Event]:
        """Each joint, stated from one side or from the other."""
        stated = [(a, side, b) if rng.random() < 0.5 else (b, (side + 2) % 4, a) for a, side, b in self.edges]
        return [event("beside", this=a, that=b, direction=directions[side]) for a, side, b in stated]

    def ways(self, start: str) -> Ways:
        """From one place to every other: the directions, and the edges on the way."""
        steps = [((b, a, side, n), (a, b, (side + 2) % 4, n)) for n, (a, side, b) in enumerate(self.edges)]
        return _ways(start, chain.from_iterable(steps))


def _ways(start: str, steps: Iterable[tuple[str, str, int, int]]) -> Ways:
    """All that is reached in steps (from, to, label, number): labels and numbers of those on the way."""
    near = defaultdict[str, list[tuple[str, int, int]]](list)
    for at, to, label, number in steps:
        near[at].append((to, label, number))
    found, queue = {start: (tuple[int, ...](), frozenset[int]())}, deque([start])
    while queue:
        labels, passed = found[here := queue.popleft()]
        for to, label, number in near[here]:
            if to not in found:
                found[to] = (*labels, label), passed | {number}
                queue.append(to)
    return found


@task("neighbours", 2, "place direction:4", _BESIDE, what="place direction", of_what="place direction")
def neighbours(cast: Cast, facts: int) -> Plot:
    """Two-argument relations (qa4): what is north of a place, or what it is north of."""
    places, directions = cast.names("place", facts + 1), cast.choices["direction"]
    grid = _Map(cast.rng, places)
    events = grid.events(cast.rng, directions)
    at = cast.rng.randrange(facts)
    there, side, place = grid.edges[at]
    if cast.rng.random() < 0.5:
        there, side, place = place, (side + 2) % 4, there
    ask, asked = ("what", side) if cast.rng.random() < 0.5 else ("of_what", (side + 2) % 4)
    values = {"place": place, "direction": directions[asked]}
    wrong = tuple(each for each in places if each not in (there, place))
    return Plot(events, ask, values, (there,), frozenset([at]), wrong)


@task("grid", 2, "thing direction:4 answer:2", _BESIDE, is_there="this that direction")
def grid(cast: Cast, facts: int) -> Plot:
    """Positional reasoning (qa17): whether one thing is on one side of another, some steps away."""
    things, directions = cast.names("thing", facts + 1), cast.choices["direction"]
    drawn = _Map(cast.rng, things)
    events = drawn.events(cast.rng, directions)
    wanted = cast.rng.random() < 0.5

    def make() -> Plot | None:
        this, that = cast.rng.sample(things, 2)
        _, edges = drawn.ways(that)[this]
        side = cast.rng.randrange(4)
        step, here, there = _STEPS[side], drawn.squares[this], drawn.squares[that]
        offset = (here[0] - there[0]) * step[0] + (here[1] - there[1]) * step[1]
        # As often yes as no, and never "on neither side".
        if len(edges) < 2 or not offset or (offset > 0) != wanted:
            return None
        answer, options = cast.yes_or_no(true=offset > 0)
        values = {"this": this, "that": that, "direction": directions[side]}
        return Plot(events, "is_there", values, answer, edges, options=options)

    return cast.until(make)


@task("path", 2, "place direction:4", _BESIDE, path="this that")
def path(cast: Cast, facts: int) -> Plot:
    """Path finding (qa19): the two steps from one place to another, round one corner."""
    directions = cast.choices["direction"]
    places = cast.names("place", facts + 1)

    def make() -> Plot | None:
        drawn = _Map(cast.rng, places)
        start, end = cast.rng.sample(places, 2)
        sides, edges = drawn.ways(start)[end]
        if len(sides) != 2 or sides[0] == sides[1]:
            return None
        answer = tuple(directions[side] for side in sides)
        wrong = tuple(each for each in directions if each not in answer)
        events, values = drawn.events(cast.rng, directions), {"this": start, "that": end}
        return Plot(events, "path", values, answer, edges, wrong, ordered=True)

    return cast.until(make)


@task("sizes", 2, "thing answer:2", {"inside": "this that", "bigger": "this that"}, fits="this that")
def sizes(cast: Cast, facts: int) -> Plot:
    """Size reasoning (qa18): whether one thing fits into another, over two comparisons or more."""
    things = cast.names("thing", facts + 1)

    def make() -> Plot | None:
        pairs, joined = list[tuple[str, str]](), [things[0]]  # the smaller, the larger
        for thing in things[1:]:
            other = cast.rng.choice(joined[-2:])
            pairs.append((thing, other) if cast.rng.random() < 0.5 else (other, thing))
            joined.append(thing)
        cast.rng.shuffle(pairs)
        events = list[Event]()
        for small, large in pairs:
            inside = cast.rng.random() < 0.5
            this, that = (small, large) if inside else (large, small)
            events.append(event("inside" if inside else "bigger", this=this, that=that))
        steps = [(small, large, 0, number) for number, (small, large) in enumerate(pairs)]
        smaller = dict.fromkeys(thing for pair in pairs for thing in pair)
        above = [(small, large, why) for small in smaller for large, (_, why) in _ways(small, steps).items()]
        if not (found := [each for each in above if len(each[2]) > 1]):
            return None
        small, large, support = cast.rng.choice(found)
        true = cast.rng.random() < 0.5
        answer, options = cast.yes_or_no(true=true)
        values = {"this": small, "that": large} if true else {"this": large, "that": small}
        return Plot(events, "fits", values, answer, support, options=options)

    return cast.until(make)


@task("deduction", 3, "who kind:3 feared:2", {"rule": "kind feared", "is": "who kind"}, fears="who")
def deduction(cast: Cast, facts: int) -> Plot:
    """Basic deduction (qa15): every sheep is afraid of wolves, and Ank is a sheep."""
    kinds = cast.own("kind", facts // 2)
    feared = [cast.rng.choice(cast.choices["feared"]) for _ in kinds]
    people = cast.names("who", facts - len(kinds))
    of_kind = [cast.rng.randrange(len(kinds)) for _ in people]
    rules = [event("rule", kind=kind, feared=what) for kind, what in zip(kinds, feared, strict=True)]
    stated = [event("is", who=who, kind=kinds[kind]) for who, kind in zip(people, of_kind, strict=True)]
    events = [*rules, *stated]
    cast.rng.shuffle(events)
    number = cast.rng.randrange(len(people))
    rule = of_kind[number]
    support = frozenset([events.index(stated[number]), events.index(rules[rule])])
    wrong = tuple(dict.fromkeys(each for each in feared if each != feared[rule]))
    return Plot(events, "fears", {"who": people[number]}, (feared[rule],), support, wrong)


@task("induction", 3, "who kind:3 colour:2", {"is": "who kind", "looks": "who colour"}, colour="who")
def induction(cast: Cast, facts: int) -> Plot:
    """Basic induction (qa16): Ank is a swan and white, Brask is a swan. All of a kind look alike."""
    about = facts // 2 + 1
    kinds = cast.own("kind", about // 2)
    colours = [cast.rng.choice(cast.choices["colour"]) for _ in kinds]
    people = cast.names("who", about)
    # Each kind in turn, so that the last of one has another before it.
    of_kind = [number % len(kinds) for number in range(about)]
    pairs = list(zip(people, of_kind, strict=True))
    stated = [event("is", who=who, kind=kinds[kind]) for who, kind in pairs]
    looks = [event("looks", who=who, colour=colours[kind]) for who, kind in pairs[: facts - about]]
    events = [*stated, *looks]
    cast.rng.shuffle(events)
    kind = of_kind[-1]
    like = of_kind.index(kind)
    support = frozenset(events.index(each) for each in (stated[-1], stated[like], looks[like]))
    wrong = tuple(dict.fromkeys(colour for colour in colours if colour != colours[kind]))
    return Plot(events, "colour", {"who": people[-1]}, (colours[kind],), support, wrong)


@task("motives", 3, "who state:2 place:2 thing:2", _NEEDS, why="who place", why_took="who thing", where="who")
def motives(cast: Cast, facts: int) -> Plot:
    """Motivations (qa20): the tired go to bed, as the family pairs its states, places and things."""
    choices = [cast.choices[slot] for _, slot, _ in _STEPS_OF_NEEDS]
    events, people = list[Event](), cast.names("who", max(1, -(-facts // 3)))
    pairs = {who: cast.rng.randrange(len(choices[0])) for who in people}
    at: dict[str, list[int]] = {who: [] for who in people}
    while len(events) < facts:
        who = cast.rng.choice([who for who in people if len(at[who]) < 3])
        name, slot, _ = _STEPS_OF_NEEDS[len(at[who])]
        events.append((name, {"who": who, slot: choices[len(at[who])][pairs[who]]}))
        at[who].append(len(events) - 1)
    who = cast.rng.choice([who for who in people if at[who]])
    pair, step = pairs[who], cast.rng.randrange(len(at[who]))
    if step == 0 and len(at[who]) > 1:  # where somebody went need not be guessed
        step = 1
    support, sought = frozenset([at[who][0], at[who][step]]), choices[0 if step else 1]
    wrong = tuple(name for number, name in enumerate(sought) if number != pair)
    _, slot, ask = _STEPS_OF_NEEDS[step]
    known = {"who": who} | ({slot: choices[step][pair]} if step else {})
    return Plot(events, ask, known, (sought[pair],), support, wrong)


@task("inventory", 3, "store", _STORES, how_many="store")
def inventory(cast: Cast, facts: int) -> Plot:
    """How many are in a store at the end. The first facts say what each begins with."""
    stores = cast.names("store", min(_MOST_STORES, max(2, facts // 3)))
    there, touched = dict[str, int](), dict[str, list[int]]()
    events = list[Event]()
    for store in stores:
        there[store], touched[store] = cast.rng.randint(3, 40), [len(events)]
        events.append(event("start", store=store, number=str(there[store])))
    while len(events) < facts:
        store, kind = cast.rng.choice(stores), cast.rng.choice(("put", "took", "moved"))
        least = 2  # "one" would need another word than "three"
        if kind != "put" and there[store] <= least:
            continue
        number = cast.rng.randint(least, 12 if kind == "put" else min(12, there[store] - 1))
        touched[store].append(len(events))
        there[store] += number if kind == "put" else -number
        values = {"store": store, "number": str(number)}
        if kind == "moved":
            values["to"] = cast.other(stores, store)
            there[values["to"]] += number
            touched[values["to"]].append(len(events))
        events.append((kind, values))
    # Of the store that most facts are about, if it is not alone in that.
    store = max(stores, key=lambda each: (len(touched[each]), cast.rng.random()))
    answer, support = (str(there[store]),), frozenset(touched[store])
    return Plot(events, "how_many", {"store": store}, answer, support, counts=True)


@task("positions", 3, "thing port", _SWAPS, which="thing port")
def positions(cast: Cast, facts: int) -> Plot:
    """Which place something has at the end. The first fact gives all places; each other exchanges two."""
    things = cast.names("thing", min(_MOST_THINGS, facts))
    (port,) = cast.names("port", 1)
    places = list(things)
    listed = ", ".join(f"{number}: {thing}" for number, thing in enumerate(things, 1))
    events = [event("line_up", things=listed, port=port)]
    while len(events) < facts:
        one, other = sorted(cast.rng.sample(range(len(places)), 2))
        if cast.rng.random() < 0.5:
            events.append(event("swap", thing=places[one], other=places[other], port=port))
        else:
            events.append(event("swap_places", first=str(one + 1), second=str(other + 1), port=port))
        places[one], places[other] = places[other], places[one]
    moved = [thing for number, thing in enumerate(things) if places[number] != thing] or things
    thing = cast.rng.choice(moved)
    answer, values = (str(places.index(thing) + 1),), {"thing": thing, "port": port}
    return Plot(events, "which", values, answer, frozenset(range(facts)), counts=True)
